import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { CommandRefused } from '../command-refused.js';
import type { Api } from '../http/api.js';
import { Listing } from '../readable.js';
import { withQuery } from '../http/pages.js';
import { slugOf } from '../slug.js';

const Part = z.looseObject({
  name: z.string(),
  description: z.string(),
  type: z.unknown(),
  /** Definitions to which this definition refers. */
  reference: z.array(z.looseObject({ uuid: z.string() })).default([]),
  schema: z.record(z.string(), z.unknown()).optional(),
});
export const Prompt = z.looseObject({
  id: z.string(),
  instruction: z.object({ static: z.string(), state: z.string(), dynamic: z.string() }),
  input: Part.extend({ id: z.string() }),
  output: Part.extend({ id: z.string() }),
  model_parameters: z.record(z.string(), z.unknown()).default({}),
  metadata: z.looseObject({
    title: z.string(),
    description: z.string(),
    tag: z.array(z.string()),
    version: z.number(),
    status: z.string(),
    updated: z.string(),
  }),
});
export type Prompt = z.output<typeof Prompt>;

const PartFile = z.strictObject({
  name: z.string().optional(),
  description: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  /** Ids of definitions of the same installation. */
  reference: z.array(z.string()).optional(),
  schema: z.record(z.string(), z.unknown()).optional(),
});
/** A prompt as a file. Pull and push write `id` and `version`: the version from which the file was made. */
const PromptFile = z.strictObject({
  id: z.string().optional(),
  version: z.number().int().optional(),
  title: z.string().min(1),
  description: z.string().optional(),
  tags: z.array(z.string()).optional(),
  status: z.enum(['draft', 'published', 'archived']).optional(),
  system: z.string().optional(),
  context: z.string().optional(),
  user: z.string().optional(),
  input: PartFile.optional(),
  output: PartFile.optional(),
  model_parameters: z.record(z.string(), z.unknown()).optional(),
});
type PromptFile = z.output<typeof PromptFile>;

/** Limits: prompts of one pull or push, and prompts per page. */
const MOST_PROMPTS = 10_000;
const PER_PAGE = 100;

const partOf = ({ name, description, type, reference, schema }: z.output<typeof Part>) =>
  PartFile.parse({
    name,
    description,
    type,
    reference: reference.map(({ uuid }) => uuid),
    ...(schema !== undefined && { schema }),
  });

/** Makes the file of a prompt, with every field that can be written. */
export function fileOf({ id, instruction, input, output, model_parameters, metadata }: Prompt): PromptFile {
  return PromptFile.parse({
    id,
    version: metadata.version,
    title: metadata.title,
    description: metadata.description,
    tags: metadata.tag,
    status: metadata.status,
    system: instruction.static,
    context: instruction.state,
    user: instruction.dynamic,
    input: partOf(input),
    output: partOf(output),
    model_parameters,
  });
}

/**
 * Makes the request to the prompt API from a file. Texts that the file leaves out become empty, other fields that it leaves out stay
 * unchanged.
 */
export function bodyOf(file: PromptFile, message: string | undefined) {
  const { title, description, tags, status, system, context, user, input = {}, output = {}, model_parameters } = file;
  return {
    instruction: { static: system ?? '', state: context ?? '', dynamic: user ?? '' },
    input,
    output,
    ...(model_parameters && { model_parameters }),
    metadata: {
      title,
      ...(description !== undefined && { description }),
      ...(tags && { tag: tags }),
      ...(status && { status }),
      ...(message !== undefined && { log_message: message }),
    },
  };
}

/** Whether pushing the file would leave the prompt unchanged. */
function isStored(file: PromptFile, prompt: Prompt): boolean {
  const fresh = fileOf(prompt);
  const { input, output, system = '', context = '', user = '' } = file;
  return isDeepStrictEqual(
    {
      ...{ ...fresh, ...file, system, context, user, version: 0 },
      ...{ input: { ...fresh.input, ...input }, output: { ...fresh.output, ...output } },
    },
    { ...fresh, version: 0 },
  );
}

const textOf = (file: PromptFile): string => stringify(file, { lineWidth: 0, blockQuote: 'literal' });

function readPromptFile(path: string): PromptFile {
  let value: unknown;
  try {
    value = parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new CommandRefused(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  const result = PromptFile.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues
    .map(({ path: at, message }) => `\n  ${at.join('.') || 'file'}: ${message}`)
    .join('');
  throw new CommandRefused(`${path} is not the file of a prompt:${faults}`, { cause: result.error });
}

const promptFilesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /\.ya?ml$/.test(name))
        .sort()
        .map((name) => join(folder, name))
    : [];

const getPrompt = (api: Api, id: string) => api.json('prompt', `/v1/prompt/${encodeURIComponent(id)}`, Prompt);

async function listPrompts(api: Api): Promise<Prompt[]> {
  const all: Prompt[] = [];
  for (let page = 1; all.length < MOST_PROMPTS; page += 1) {
    const items = await api.json('prompt', withQuery('/v1/prompt', { page, limit: PER_PAGE }), z.array(Prompt));
    all.push(...items);
    if (items.length < PER_PAGE) return all;
  }
  throw new CommandRefused(`There are more than ${MOST_PROMPTS} prompts. Name those to pull.`);
}

/** Writes each prompt into its file. A file that was changed since its version was pulled is kept, unless forced. */
export async function pullPrompts(
  api: Api,
  { folder, ids, force }: { folder: string; ids: readonly string[]; force: boolean },
): Promise<Listing> {
  const prompts = ids.length > 0 ? await Promise.all(ids.map((id) => getPrompt(api, id))) : await listPrompts(api);
  mkdirSync(folder, { recursive: true });
  const files = new Map(promptFilesIn(folder).map((path) => [path, readPromptFile(path)]));
  const rows: { file: string; prompt: string; version: number; result: string }[] = [];
  for (const prompt of prompts) {
    const fresh = fileOf(prompt);
    const kept = [...files].find(([, { id }]) => id === prompt.id);
    const path = kept?.[0] ?? freePath(folder, slugOf(prompt.metadata.title), files);
    const result = await pulled(api, kept?.[1], prompt, force);
    if (result === 'written') writeFileSync(path, textOf(fresh));
    files.set(path, fresh);
    rows.push({ file: path, prompt: prompt.id, version: prompt.metadata.version, result });
  }
  return new Listing({ items: rows }, rows);
}

async function pulled(api: Api, kept: PromptFile | undefined, prompt: Prompt, force: boolean) {
  if (!kept || force) return 'written';
  if (isDeepStrictEqual(kept, fileOf(prompt))) return 'unchanged';
  if (kept.id === undefined || kept.version === undefined) return 'kept: has changes';
  const path = `/v1/prompt/${encodeURIComponent(kept.id)}/version/${kept.version}`;
  return isStored(kept, await api.json('prompt', path, Prompt)) ? 'written' : 'kept: has changes';
}

function freePath(folder: string, slug: string, files: ReadonlyMap<string, unknown>): string {
  for (let number = 1; ; number += 1) {
    const path = join(folder, number === 1 ? `${slug}.yaml` : `${slug}-${number}.yaml`);
    if (!files.has(path)) return path;
  }
}

export interface PushOptions {
  folder: string;
  files: readonly string[];
  message: string | undefined;
  dryRun: boolean;
  force: boolean;
}

/**
 * Stores each file that differs from its prompt, and writes id and version into the file.
 * @throws CommandRefused before anything is stored, when a prompt has changed since its file was pulled
 */
export async function pushPrompts(api: Api, { folder, files, message, dryRun, force }: PushOptions): Promise<Listing> {
  const paths = files.length > 0 ? files : promptFilesIn(folder);
  if (paths.length === 0) throw new CommandRefused(`There is no YAML file in ${folder}. Run: millwright prompts pull`);
  const plans = await Promise.all(
    paths.map(async (path) => {
      const file = readPromptFile(path);
      const current = file.id === undefined ? undefined : await getPrompt(api, file.id);
      return { path, file, current };
    }),
  );
  const stale = plans.filter(({ file, current }) => current && !force && file.version !== current.metadata.version);
  if (stale.length > 0)
    throw new CommandRefused(
      `${stale.map(({ path }) => path).join(', ')}: the prompt has changed since. Pull it, or push with --force.`,
      { code: 'changed_since', detail: { files: stale.map(({ path }) => path) } },
    );
  const rows: { file: string; prompt: string | null; version: number | null; result: string }[] = [];
  for (const { path, file, current } of plans) {
    const isSame = current && isStored(file, current);
    const result = current ? (isSame ? 'unchanged' : 'updated') : 'created';
    const stored = isSame ? current : dryRun ? undefined : await store(api, file, current, message);
    if (stored && !isSame) writeFileSync(path, textOf(fileOf(stored)));
    rows.push({ file: path, prompt: stored?.id ?? file.id ?? null, version: stored?.metadata.version ?? null, result });
  }
  return new Listing({ items: rows, dry_run: dryRun }, rows);
}

/** Stores a prompt. When the prompt has changed since `current` was read, the API refuses the request. */
function store(api: Api, file: PromptFile, current: Prompt | undefined, message: string | undefined): Promise<Prompt> {
  const body = bodyOf(file, message);
  if (!current) return api.json('prompt', '/v1/prompt', Prompt, { method: 'POST', body });
  const metadata = { ...body.metadata, version: current.metadata.version };
  return api.json('prompt', `/v1/prompt/${encodeURIComponent(current.id)}`, Prompt, {
    method: 'PUT',
    body: { ...body, metadata },
  });
}
