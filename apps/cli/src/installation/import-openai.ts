import { z } from 'zod';
import { CommandRefused } from '../command-refused.js';
import { prompts } from './prompt-kinds.js';
import type { Fields } from './kind.js';

const Text = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string().optional(), text: z.string().optional() })),
]);
const Message = z.looseObject({ role: z.string(), content: Text });
/** A stored prompt, as OpenAI's dashboard and API return it. */
const StoredPrompt = z.looseObject({
  id: z.string().optional(),
  name: z.string().optional(),
  title: z.string().optional(),
  instructions: z.string().nullish(),
  messages: z.array(Message).optional(),
  input: z.union([z.string(), z.array(Message)]).optional(),
  variables: z.union([z.record(z.string(), z.unknown()), z.array(z.string())]).nullish(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }).optional() }).nullish(),
});
const File = z.union([
  z.object({ data: z.array(StoredPrompt) }).transform(({ data }) => data),
  z.array(StoredPrompt),
  StoredPrompt.transform((prompt) => [prompt]),
]);

/** Fields that are imported, or that are not part of the prompt itself. All other fields are listed as not imported. */
const READ = new Set(['id', 'name', 'title', 'instructions', 'messages', 'input', 'variables', 'text', 'object']);

export interface Imported {
  prompts: Fields[];
  /** Fields that could not be imported, with their prompt. */
  left: { prompt: string; what: string }[];
}

/** Converts prompts of OpenAI to prompt files. @throws CommandRefused when the file has another form */
export function importOpenAi(value: unknown): Imported {
  const parsed = File.safeParse(value);
  if (!parsed.success || parsed.data.every(({ messages, input, instructions }) => !messages && !input && !instructions))
    throw new CommandRefused('The file has no stored prompt: a JSON object with messages, input or instructions.');
  const left: Imported['left'] = [];
  const titles = new Set<string>();
  const files = parsed.data.map((prompt, place) => {
    const title = uniqueTitle(prompt.name ?? prompt.title ?? prompt.id ?? `Prompt ${place + 1}`, titles);
    for (const [name, member] of Object.entries(prompt))
      if (!READ.has(name) && member !== null && member !== undefined) left.push({ prompt: title, what: name });
    return promptOf(prompt, title, (what) => left.push({ prompt: title, what }));
  });
  return { prompts: files, left };
}

function uniqueTitle(title: string, used: Set<string>): string {
  let free = title;
  for (let number = 2; used.has(free); number += 1) free = `${title} ${number}`;
  used.add(free);
  return free;
}

/** Makes the file of a prompt with messages; calls `leave` for each field that cannot be imported. */
export function promptOf(prompt: z.output<typeof StoredPrompt>, title: string, leave: (what: string) => void): Fields {
  const listed = typeof prompt.input === 'string' ? [{ role: 'user', content: prompt.input }] : (prompt.input ?? []);
  const messages = [...(prompt.messages ?? []), ...listed].map(({ role, content }) => ({
    role,
    text: textOf(content, (type) => leave(`${type} of a message`)),
  }));
  const textsOf = (...roles: string[]) => messages.filter(({ role }) => roles.includes(role)).map(({ text }) => text);
  for (const { role } of messages)
    if (!['system', 'developer', 'user'].includes(role)) leave(`a message of the role ${role}`);
  const system = [prompt.instructions ?? '', ...textsOf('system', 'developer')]
    .filter((text) => text !== '')
    .join('\n\n');
  const asked = textsOf('user').join('\n\n');
  // Without a user message, the message of the request becomes the user message.
  const user = asked === '' ? '{{message}}' : asked;
  const named = Array.isArray(prompt.variables) ? prompt.variables : Object.keys(prompt.variables ?? {});
  const used = [...`${system}\n${user}`.matchAll(/\{\{\s*([A-Za-z_]\w*)\s*\}\}/g)].map(([, name = '']) => name);
  const variables = [...new Set([...named, ...used])].filter((name) => name !== 'message').sort();
  const properties = Object.fromEntries(variables.map((name) => [name, { type: 'string' }]));
  return prompts.schema.parse({
    title,
    description: prompt.id === undefined ? '' : `From OpenAI's ${prompt.id}`,
    system: withoutSpaces(system),
    user: withoutSpaces(user),
    ...(variables.length > 0 && { input: { name: 'variables', schema: { type: 'object', properties } } }),
    ...outputOf(prompt.text?.format, leave),
  });
}

/** OpenAI allows spaces inside the braces of a variable. */
const withoutSpaces = (text: string) => text.replaceAll(/\{\{\s*([A-Za-z_]\w*)\s*\}\}/g, '{{$1}}');

function textOf(content: z.output<typeof Text>, leave: (type: string) => void): string {
  if (typeof content === 'string') return content;
  return content
    .flatMap(({ type = 'a part', text }) => {
      if (text !== undefined) return [text];
      leave(type);
      return [];
    })
    .join('\n');
}

const JsonFormat = z.looseObject({ name: z.string().default('answer'), schema: z.record(z.string(), z.unknown()) });

function outputOf(format: { type: string } | undefined, leave: (what: string) => void): Fields {
  if (format === undefined || format.type === 'text') return {};
  const parsed = JsonFormat.safeParse(format);
  if (format.type === 'json_schema' && parsed.success)
    return { output: { name: parsed.data.name, schema: parsed.data.schema } };
  leave(`the text format ${format.type}`);
  return {};
}
