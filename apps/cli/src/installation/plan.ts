import { isDeepStrictEqual } from 'node:util';
import { CommandRefused } from '../command-refused.js';
import type { Api } from '../http/api.js';
import { readRecords, type RecordFile } from './folder.js';
import type { Fields, Ids, Kind, Stored } from './kind.js';
import { agents, content, plugins, servers, skills } from './platform-kinds.js';
import { blocks, prompts } from './prompt-kinds.js';
import { isSameBesideSecrets, plainSecretsIn, variablesIn } from './secrets.js';

/** Kinds in the order in which records are created: a record comes before the records that refer to it. */
export const KINDS: readonly Kind[] = [blocks, prompts, skills, content, servers, agents];

/** All records of an installation that can be kept as files, with their ids. */
export interface Installation {
  records: ReadonlyMap<Kind, readonly Stored[]>;
  ids: Map<string, Map<string, string>>;
}

const keyIn = (kind: Kind, { fields }: Pick<Stored, 'fields'>) => String(fields[kind.key]);

/**
 * Reads all records of an installation.
 * @throws CommandRefused when two records of a kind have the same name, because names identify files
 */
export async function readInstallation(api: Api, env: NodeJS.ProcessEnv): Promise<Installation> {
  const ids = new Map<string, Map<string, string>>();
  const records = new Map<Kind, readonly Stored[]>();
  for (const kind of [plugins, ...KINDS.filter(({ name }) => name !== 'agent')]) {
    const stored = await kind.list(api, { ids, env });
    records.set(kind, stored);
    ids.set(kind.name, uniqueIds(kind, stored));
  }
  // Agents name each other, so all their names are needed before their fields can be read.
  const named = await agents.list(api, { ids, env });
  ids.set(agents.name, uniqueIds(agents, named));
  const byId = new Map(named.map((stored) => [stored.id, keyIn(agents, stored)]));
  records.set(
    agents,
    named.map((stored) => ({
      ...stored,
      fields: { ...stored.fields, agents: (stored.fields['agents'] as string[]).map((id) => byId.get(id) ?? id) },
    })),
  );
  records.delete(plugins);
  return { records, ids };
}

function uniqueIds(kind: Kind, stored: readonly Stored[]): Map<string, string> {
  const ids = new Map<string, string>();
  for (const record of stored) {
    const key = keyIn(kind, record);
    if (ids.has(key) && kind !== plugins)
      throw new CommandRefused(
        `Two records of the kind ${kind.name} have the ${kind.key} "${key}". Rename one of them.`,
      );
    ids.set(key, record.id);
  }
  return ids;
}

export interface Change {
  kind: Kind;
  key: string;
  action: 'create' | 'update' | 'delete';
  /** Names of the fields that change. */
  changed: string[];
  file?: RecordFile;
  stored?: Stored;
}

export interface Plan {
  changes: Change[];
  unchanged: number;
  /** Records that have no file. They are deleted only with `--prune`. */
  unmanaged: { kind: string; key: string }[];
}

/** Compares a folder with an installation. @throws CommandRefused with all faults, before anything is changed */
export function makePlan(
  folder: string,
  { records, ids }: Installation,
  { prune, env }: { prune: boolean; env: NodeJS.ProcessEnv },
): Plan {
  const files = new Map(KINDS.map((kind) => [kind, readRecords(folder, kind)]));
  if ([...files.values()].every((list) => list.length === 0))
    throw new CommandRefused(
      `There is no file of an installation in ${folder}. Run: millwright export --dir ${folder}`,
    );
  const changes: Change[] = [];
  const unmanaged: Plan['unmanaged'] = [];
  let unchanged = 0;
  for (const kind of KINDS) {
    const stored = new Map((records.get(kind) ?? []).map((record) => [keyIn(kind, record), record]));
    const list = files.get(kind) ?? [];
    for (const file of kind === agents ? inOrderOfCalls(list) : list) {
      const current = stored.get(file.key);
      stored.delete(file.key);
      const changed = current ? changedFields(current.fields, file.fields) : Object.keys(file.fields);
      if (!current) changes.push({ kind, key: file.key, action: 'create', changed: [], file });
      else if (changed.length > 0)
        changes.push({ kind, key: file.key, action: 'update', changed, file, stored: current });
      else unchanged += 1;
    }
    for (const [key, record] of stored)
      if (prune) changes.push({ kind, key, action: 'delete', changed: [], stored: record });
      else unmanaged.push({ kind: kind.name, key });
  }
  refuseFaults(changes, files, ids, env);
  return { changes, unchanged, unmanaged };
}

/**
 * Sorts agents in such a way that each agent comes after the agents that it may call, because a change can only refer to existing records.
 * @throws CommandRefused when agents call each other in a circle
 */
function inOrderOfCalls(files: readonly RecordFile[]): RecordFile[] {
  const byKey = new Map(files.map((file) => [file.key, file]));
  const ordered = new Set<RecordFile>();
  const visit = (file: RecordFile, callers: readonly string[]) => {
    if (callers.includes(file.key))
      throw new CommandRefused(
        `${file.path}: agents call each other in a circle: ${[...callers, file.key].join(' → ')}`,
        {
          code: 'files_not_valid',
        },
      );
    if (ordered.has(file)) return;
    for (const key of file.fields['agents'] as string[]) {
      const callee = byKey.get(key);
      if (callee) visit(callee, [...callers, file.key]);
    }
    ordered.add(file);
  };
  for (const file of files) visit(file, []);
  return [...ordered];
}

const changedFields = (stored: Fields, file: Fields): string[] =>
  Object.keys(file).filter((name) =>
    ['headers', 'auth'].includes(name)
      ? !isSameBesideSecrets(stored[name], file[name])
      : !isDeepStrictEqual(stored[name], file[name]),
  );

/** Refuses names of records that do not exist, secrets in files, and environment variables that are not set. */
function refuseFaults(
  changes: readonly Change[],
  files: ReadonlyMap<Kind, readonly RecordFile[]>,
  ids: Ids,
  env: NodeJS.ProcessEnv,
): void {
  const made = (kind: string, key: string) =>
    [...files].some(([{ name }, list]) => name === kind && list.some((file) => file.key === key));
  const faults = [...files].flatMap(([kind, list]) =>
    list.flatMap(({ path, fields }) => [
      ...(kind.references?.(fields) ?? [])
        .filter(({ kind: name, key }) => !made(name, key) && !ids.get(name)?.has(key))
        .map(({ kind: name, key }) => `${path}: there is no ${name} "${key}"`),
      ...(kind === servers ? plainSecretsIn(fields) : []).map(
        (name) => `${path}: ${name} must be the name of a variable, such as \${env:TOKEN}`,
      ),
    ]),
  );
  const sent = changes.filter(({ kind, action }) => kind === servers && action !== 'delete');
  for (const { file, action, changed } of sent) {
    const needed = ['headers', 'auth'].filter((name) => action === 'create' || changed.includes(name));
    for (const name of needed.flatMap((field) => variablesIn(file?.fields[field])))
      if (!env[name]) faults.push(`${file?.path}: the variable ${name} is not set`);
  }
  if (faults.length > 0) throw new CommandRefused(faults.join('\n'), { code: 'files_not_valid', detail: { faults } });
}
