import type { Addresses } from '../../api/admin-records.js';
import { curlOf } from '../../ui/curl-text.js';

/** The subject that a program calls: an agent, a prompt, or the installation as a whole. */
export type ConnectTarget =
  | { kind: 'agent'; slug: string }
  | { kind: 'prompt'; id: string; variables: Record<string, unknown> }
  | { kind: 'installation' };

/** A program in one language that calls the target. */
export interface ProgramCode {
  id: 'curl' | 'typescript' | 'python' | 'openai';
  name: string;
  /** Command that installs what the program needs. */
  install?: string;
  code: string;
}

const MESSAGE = 'Hello';

/** Programs that call `target`. `key` is the secret of an API key, or a placeholder for it. */
export function programsOf(target: ConnectTarget, addresses: Addresses, key: string): ProgramCode[] {
  return [
    { id: 'curl', name: 'curl', code: curlCode(target, addresses, key) },
    {
      id: 'typescript',
      name: 'TypeScript',
      install: 'npm install @millwright/sdk',
      code: typescriptCode(target, addresses, key),
    },
    { id: 'python', name: 'Python', install: 'pip install millwright', code: pythonCode(target, addresses, key) },
    { id: 'openai', name: 'OpenAI SDK', install: 'npm install openai', code: openaiCode(target, addresses, key) },
  ];
}

/** The input of a run of the prompt: a message, and structured data when the prompt has variables. */
function promptInput(variables: Record<string, unknown>) {
  return { message: MESSAGE, ...(Object.keys(variables).length > 0 && { structured_data: variables }) };
}

function curlCode(target: ConnectTarget, { base_url, runtime_url, prompt_api_url }: Addresses, key: string): string {
  switch (target.kind) {
    case 'agent': {
      const path = `/api/v1/agents/${target.slug}/messages?stream=true`;
      return curlOf(runtime_url, key, { method: 'POST', path, body: { content: MESSAGE }, options: '-N' });
    }
    case 'prompt': {
      const call = {
        method: 'POST',
        path: `/v1/prompt/${target.id}/openai`,
        body: promptInput(target.variables),
      } as const;
      return curlOf(prompt_api_url, key, call, 'api-key:');
    }
    case 'installation':
      return curlOf(base_url, key, { path: '/api/v1/agents' });
  }
}

/** Formats a value as an expression of JavaScript. Without null, true and false, the expression is also valid in Python. */
const literal = (value: unknown, indent = 0) =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(indent)}`);

/** Builds an import statement from parts, because Nx would read a literal import as a dependency of this project. */
const importOf = (what: string, from: string) => `import ${what} from '${from}';`;

function typescriptCode(target: ConnectTarget, addresses: Addresses, key: string): string {
  const client = `${importOf('{ Millwright }', '@millwright/sdk')}

const millwright = new Millwright({
  apiKey: ${literal(key)},
  baseUrl: ${literal(addresses.base_url)},
  runtimeUrl: ${literal(addresses.runtime_url)},
  promptUrl: ${literal(addresses.prompt_api_url)},
});
`;
  switch (target.kind) {
    case 'agent':
      return `${client}
for await (const event of millwright.agents.sendMessageStream(${literal(target.slug)}, { content: ${literal(MESSAGE)} })) {
  if (event.event === 'message.delta') process.stdout.write(event.data.delta);
}`;
    case 'prompt':
      return `${client}
const result = await millwright.prompts.run(${literal(target.id)}, ${literal(promptInput(target.variables))});
console.log(result.data);`;
    case 'installation':
      return `${client}
for await (const agent of millwright.agents.list()) console.log(agent.name);`;
  }
}

function pythonCode(target: ConnectTarget, addresses: Addresses, key: string): string {
  const client = `from millwright import Millwright

millwright = Millwright(
    api_key=${literal(key)},
    base_url=${literal(addresses.base_url)},
    runtime_url=${literal(addresses.runtime_url)},
    prompt_url=${literal(addresses.prompt_api_url)},
)
`;
  switch (target.kind) {
    case 'agent':
      return `${client}
for event in millwright.agents.send_message_stream(${literal(target.slug)}, content=${literal(MESSAGE)}):
    if event.event == "message.delta":
        print(event.data.delta, end="", flush=True)`;
    case 'prompt': {
      const { message, structured_data } = promptInput(target.variables) as ReturnType<typeof promptInput> & {
        structured_data?: unknown;
      };
      const variables = structured_data === undefined ? '' : `, structured_data=${pythonLiteral(structured_data)}`;
      return `${client}
result = millwright.prompts.run(${literal(target.id)}, message=${literal(message)}${variables})
print(result.data)`;
    }
    case 'installation':
      return `${client}
for agent in millwright.agents.list():
    print(agent.name)`;
  }
}

/** A value of JSON as an expression of Python. */
export function pythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${pythonLiteral(member)}`);
  return `{${members.join(', ')}}`;
}

function openaiCode(target: ConnectTarget, { prompt_api_url }: Addresses, key: string): string {
  const client = `${importOf('OpenAI', 'openai')}

const openai = new OpenAI({ baseURL: ${literal(`${prompt_api_url}/v1`)}, apiKey: ${literal(key)} });
`;
  switch (target.kind) {
    case 'agent':
      return `${client}
const completion = await openai.chat.completions.create({
  model: ${literal(`agent/${target.slug}`)},
  messages: [{ role: 'user', content: ${literal(MESSAGE)} }],
});
console.log(completion.choices[0].message.content);`;
    case 'prompt': {
      // The API of OpenAI accepts only strings as variables of a stored prompt.
      const texts = Object.entries(target.variables).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]);
      const prompt = { id: target.id, ...(texts.length > 0 && { variables: Object.fromEntries(texts) as object }) };
      return `${client}
const response = await openai.responses.create({
  prompt: ${literal(prompt, 2)},
  input: ${literal(MESSAGE)},
});
console.log(response.output_text);`;
    }
    case 'installation':
      return `${client}
for await (const model of openai.models.list()) console.log(model.id);`;
  }
}
