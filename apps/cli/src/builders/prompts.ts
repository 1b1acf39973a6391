import { Option, type Command } from 'commander';
import { z } from 'zod';
import { CommandRefused } from '../command-refused.js';
import { readServerEvents } from '../http/server-events.js';
import { Listing, printable, printableLines } from '../readable.js';
import type { Builder, RunBuilder } from './builder.js';
import { pageOption, withQuery, wholeNumber } from '../http/pages.js';
import { Prompt, pullPrompts, pushPrompts } from '../installation/prompt-files.js';

interface PromptRunOptions {
  message?: string;
  var: string[];
  label?: string;
  useVersion?: number;
  model?: string;
  conversation?: string;
}

export function promptCommands(program: Command, run: RunBuilder): void {
  const prompts = program.command('prompts').description('Keep prompts as files, and run them');
  pageOption(prompts.command('list').description('List prompts by title'))
    .option('--search <text>', 'text in title or description')
    .addOption(new Option('--status <status>', 'state of the prompts').choices(['draft', 'published', 'archived']))
    .action(run(list));
  prompts
    .command('show')
    .description('Show a prompt')
    .argument('<prompt>', 'id')
    .action(run(({ connect }, _options, id) => connect().api.json('prompt', promptPath(id), Prompt)));
  prompts
    .command('promote')
    .description('Move a label to a version: clients that name the label get that version')
    .argument('<prompt>', 'id')
    .option('--label <name>', 'label to move', 'production')
    .option('--use-version <number>', 'version (default: the newest)', wholeNumber(1, 2_147_483_647))
    .option('--reason <text>', 'why, for the audit log; a protected label needs it')
    .action(run(promote));
  prompts
    .command('pull')
    .description('Write prompts as YAML files, one each. Files with changes of your own are not replaced.')
    .argument('[prompts...]', 'ids (default: all)')
    .option('--dir <folder>', 'folder of the files', 'prompts')
    .option('--force', 'replace files with changes of your own')
    .action(
      run((builder, options: { dir: string; force?: true }, ...ids: string[]) =>
        pullPrompts(builder.connect().api, { folder: options.dir, force: options.force === true, ids }),
      ),
    );
  prompts
    .command('push')
    .description('Store files as prompts: a new version of each that differs, a new prompt for a file without id')
    .argument('[files...]', 'files (default: those of the folder)')
    .option('--dir <folder>', 'folder of the files', 'prompts')
    .option('--message <text>', 'what has changed, for the list of versions')
    .option('--dry-run', 'show what would change')
    .option('--force', 'push although the prompt has changed since the file was pulled')
    .action(
      run((builder, options: { dir: string; message?: string; dryRun?: true; force?: true }, ...files: string[]) =>
        pushPrompts(builder.connect().api, {
          folder: options.dir,
          files,
          message: options.message,
          dryRun: options.dryRun === true,
          force: options.force === true,
        }),
      ),
    );
  prompts
    .command('run')
    .description('Run a prompt and print its answer as it is written')
    .argument('<prompt>', 'id')
    .option('--message <text>', "the user's message")
    .option('--var <name=value>', 'a variable of the input; may be repeated', collect, [])
    .option('--label <name>', 'version that has this label')
    .option('--use-version <number>', 'version (default: the latest)', wholeNumber(1, 1_000_000_000))
    .option('--model <name>', "model (default: the installation's)")
    .option('--conversation <id>', 'conversation to continue')
    .action(run(runPrompt));
}

const promptPath = (id: string) => `/v1/prompt/${encodeURIComponent(id)}`;

const collect = (value: string, values: string[]): string[] => [...values, value];

const MovedLabel = z.looseObject({});

async function promote(
  { connect }: Builder,
  { label, useVersion, reason }: { label: string; useVersion?: number; reason?: string },
  id: string,
): Promise<object> {
  const { api } = connect();
  const version = useVersion ?? (await api.json('prompt', promptPath(id), Prompt)).metadata.version;
  await api.json('prompt', `${promptPath(id)}/label/${encodeURIComponent(label)}`, MovedLabel, {
    method: 'PUT',
    body: { version, ...(reason !== undefined && { reason }) },
  });
  return { prompt: id, label, version };
}

async function list(
  { connect }: Builder,
  options: { limit: number; page: number; search?: string; status?: string },
): Promise<Listing> {
  const { page, limit, search, status: wanted } = options;
  const path = withQuery('/v1/prompt', {
    page,
    limit,
    search,
    status: wanted,
    sort_by: 'title',
    sort_direction: 'asc',
  });
  const items = await connect().api.json('prompt', path, z.array(Prompt));
  const rows = items.map(({ id, metadata: { title, version, status, updated } }) => ({
    id,
    title,
    version,
    status,
    updated,
  }));
  return new Listing({ items }, rows);
}

const Answer = z.looseObject({ data: z.looseObject({ message: z.looseObject({ content: z.string() }) }) });
const Chunk = z.looseObject({
  choices: z.array(z.looseObject({ delta: z.looseObject({ content: z.string().nullish() }) })).optional(),
  warnings: z.array(z.string()).optional(),
  error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
});

async function runPrompt({ connect, terminal, asJson }: Builder, options: PromptRunOptions, id: string) {
  const { message, var: pairs, label, useVersion: version, model, conversation } = options;
  const structured_data = variablesOf(pairs);
  const body = {
    ...(message !== undefined && { message }),
    ...(pairs.length > 0 && { structured_data }),
    ...(label !== undefined && { label }),
    ...(version !== undefined && { version }),
    ...(model !== undefined && { model }),
    ...(conversation !== undefined && { conversation }),
  };
  const { api } = connect();
  const path = `${promptPath(id)}/openai`;
  if (asJson) return api.json('prompt', path, Answer, { method: 'POST', body, timeoutMs: RUN_MS });
  const answer = await api.open('prompt', path, {
    method: 'POST',
    body: { ...body, stream: true },
    headers: { accept: 'text/event-stream' },
  });
  for await (const { data } of readServerEvents(answer)) {
    if (data === '[DONE]') break;
    const { choices, warnings, error } = Chunk.parse(JSON.parse(data));
    if (error) throw new CommandRefused(error.message, { code: error.code });
    for (const warning of warnings ?? []) terminal.errors.write(`${printable(warning)}\n`);
    terminal.output.write(printableLines(choices?.[0]?.delta.content ?? ''));
  }
  terminal.output.write('\n');
  return undefined;
}
/** Time limit in milliseconds of an answer that is not streamed. */
const RUN_MS = 600_000;

/** Parses pairs `name=value`. If the value is JSON, it is sent as JSON, otherwise as text. */
function variablesOf(pairs: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new CommandRefused(`--var ${pair}: write name=value.`, { kind: 'usage' });
      const text = pair.slice(at + 1);
      return [pair.slice(0, at), /^(?:\d|-\d|\{|\[|true$|false$|null$)/.test(text) ? parsed(text) : text];
    }),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
