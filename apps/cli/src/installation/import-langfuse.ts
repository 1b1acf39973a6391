import { z } from 'zod';
import { CommandRefused } from '../command-refused.js';
import { promptOf, type Imported } from './import-openai.js';
import type { Fields } from './kind.js';

const Message = z.looseObject({ role: z.string(), content: z.string() });
/** An entry of a chat prompt that the calling program replaces by messages. */
const Placeholder = z.looseObject({ type: z.literal('placeholder'), name: z.string() });
/** One version of a prompt, as Langfuse's API returns it. */
const Version = z.looseObject({
  name: z.string().min(1),
  version: z.number().int().default(1),
  prompt: z.union([z.string(), z.array(z.union([Placeholder, Message]))]),
  config: z.record(z.string(), z.unknown()).nullish(),
  labels: z.array(z.string()).default([]),
  tags: z.array(z.string()).default([]),
});
type Version = z.output<typeof Version>;
const File = z.union([
  z.object({ data: z.array(Version).min(1) }).transform(({ data }) => data),
  z.array(Version).min(1),
  Version.transform((version) => [version]),
]);

/** Fields of Langfuse's `config` that are also model parameters of Millwright. */
const PARAMETERS = new Set(['temperature', 'max_tokens', 'top_p', 'reasoning_effort', 'stop']);

/**
 * Converts prompts of Langfuse to prompt files. Of each prompt, the version with the label `production` is converted; if there is none, the
 * newest version.
 * @throws CommandRefused when the file has another form
 */
export function importLangfuse(value: unknown): Imported {
  const parsed = File.safeParse(value);
  if (!parsed.success)
    throw new CommandRefused('The file has no prompt of Langfuse: a JSON object with name, version and prompt.');
  const byName = Map.groupBy(parsed.data, ({ name }) => name);
  const left: Imported['left'] = [];
  const prompts = [...byName].map(([title, versions]) => {
    const leave = (what: string) => left.push({ prompt: title, what });
    const newestFirst = versions.toSorted((one, other) => other.version - one.version);
    const chosen = newestFirst.find(({ labels }) => labels.includes('production')) ?? newestFirst[0];
    if (!chosen) throw new Error(`${title} has no version`);
    for (const other of newestFirst) if (other !== chosen) leave(withLabels(`version ${other.version}`, other));
    if (chosen.labels.length > 0) leave(withLabels('the labels', chosen));
    return fileOf(chosen, leave);
  });
  return { prompts, left };
}

const withLabels = (what: string, { labels }: Version): string =>
  labels.length === 0 ? what : `${what} (${labels.join(', ')})`;

function fileOf({ name, version, prompt, config, tags }: Version, leave: (what: string) => void): Fields {
  const parts = typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : prompt;
  const messages = parts.flatMap((part) => {
    const message = Message.safeParse(part);
    if (message.success) return [message.data];
    leave(`the placeholder ${Placeholder.parse(part).name}`);
    return [];
  });
  const entries = Object.entries(config ?? {});
  for (const [member] of entries) if (!PARAMETERS.has(member)) leave(`config.${member}`);
  return {
    ...promptOf({ messages }, name, leave),
    description: `Version ${version} of Langfuse`,
    tags: [...new Set(tags)],
    model_parameters: Object.fromEntries(entries.filter(([member]) => PARAMETERS.has(member))),
  };
}
