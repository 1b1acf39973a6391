import type { Addresses } from '../../api/records.js';

export interface FirstCall {
  title: string;
  text: string;
  code: string;
}

const json = "-H 'Content-Type: application/json'";

/** The first calls of a program, in order, with this installation's addresses. The shell variables carry one answer to the next call. */
export function firstCalls({ base_url, runtime_url, prompt_api_url }: Addresses): FirstCall[] {
  return [
    {
      title: 'Make a skill',
      text: 'A skill is an ability with instructions, which agents use. Keep the id of the answer.',
      code: `curl ${base_url}/api/v1/skills -H "Authorization: Bearer $KEY" ${json} -d '{
  "name": "Plain words",
  "description": "Explains simply",
  "instructions": "Explain as to a neighbour."
}'`,
    },
    {
      title: 'Make an agent that has it',
      text: 'Put the id of the skill in the place of $SKILL.',
      code: `curl ${base_url}/api/v1/agents -H "Authorization: Bearer $KEY" ${json} \\
  -d "{\\"name\\": \\"Guide\\", \\"description\\": \\"Helps newcomers\\", \\"skill_ids\\": [\\"$SKILL\\"]}"`,
    },
    {
      title: 'Talk to the agent',
      text: 'The runtime API takes access tokens of an OAuth client: the first call gets one, the second uses it.',
      code: `curl ${runtime_url}/oauth/token -d grant_type=client_credentials \\
  -d client_id=$CLIENT_ID -d client_secret=$CLIENT_SECRET

curl ${runtime_url}/api/v1/agents/guide/messages -H "Authorization: Bearer $TOKEN" ${json} \\
  -d '{"content": "What is a mill?"}'`,
    },
    {
      title: 'Make a prompt',
      text: 'A prompt is a template whose answers are checked. Keep the id of the answer.',
      code: `curl ${prompt_api_url}/v1/prompt -H "api-key: $KEY" ${json} -d '{
  "instruction": { "static": "You rate {{thing}}.", "dynamic": "{{message}}" },
  "input": {
    "name": "thing",
    "schema": { "type": "object", "properties": { "thing": { "type": "string" } }, "required": ["thing"] }
  },
  "output": {
    "name": "rating",
    "schema": { "type": "object", "properties": { "stars": { "type": "integer" } }, "required": ["stars"] }
  },
  "metadata": { "title": "Rate" }
}'`,
    },
    {
      title: 'Run the prompt',
      text: 'Put the id of the prompt in the place of $PROMPT.',
      code: `curl ${prompt_api_url}/v1/prompt/$PROMPT/openai -H "api-key: $KEY" ${json} \\
  -d '{"message": "How good is it?", "structured_data": {"thing": "bread"}}'`,
    },
  ];
}
