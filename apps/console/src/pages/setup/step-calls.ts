import type { Addresses } from '../../api/admin-records.js';
import { curlOf } from '../../ui/curl-text.js';

/** Values that are known so far. Placeholders such as `$KEY` replace the unknown values. */
export interface Known {
  addresses: Addresses;
  /** The secret of an API key created on this page. */
  key?: string | undefined;
  skillId?: string | undefined;
  /** Slug of the first agent of the project. */
  agent?: string | undefined;
}

export const FIRST_SKILL = {
  name: 'Plain words',
  description: 'Explains simply',
  instructions: 'Explain things in plain language, without jargon.',
};
export const FIRST_AGENT = { name: 'Guide', description: 'Helps newcomers', mcp_tools: ['*', 'platform/*'] };
export const FIRST_MESSAGE = 'What day is it?';

const keyOf = ({ key = '$KEY' }: Known) => key;

/** By step, functions that return curl commands with the same effect as the step on the page. */
export const stepCalls = {
  skill: (known: Known, body: typeof FIRST_SKILL) =>
    curlOf(known.addresses.base_url, keyOf(known), { method: 'POST', path: '/api/v1/skills', body }),

  agent: (known: Known, agent: typeof FIRST_AGENT) =>
    curlOf(known.addresses.base_url, keyOf(known), {
      method: 'POST',
      path: '/api/v1/agents',
      body: { ...agent, skill_ids: known.skillId === undefined ? [] : [known.skillId] },
    }),

  talk: (known: Known) =>
    curlOf(known.addresses.runtime_url, keyOf(known), {
      method: 'POST',
      path: `/api/v1/agents/${known.agent ?? 'guide'}/messages`,
      body: { content: FIRST_MESSAGE },
    }),

  key: (known: Known) => curlOf(known.addresses.base_url, keyOf(known), { path: '/api/v1/skills' }),

  prompt: (known: Known) => {
    const options = `-H "api-key: ${keyOf(known)}" -H 'Content-Type: application/json'`;
    const base = `${known.addresses.prompt_api_url}/v1/prompt`;
    return `curl ${base} \\
  ${options} -d '{
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
}'

curl ${base}/$PROMPT/openai \\
  ${options} \\
  -d '{"message": "How good is it?", "structured_data": {"thing": "bread"}}'`;
  },
};
