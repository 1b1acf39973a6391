import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'yaml';
import { CommandRefused } from '../command-refused.js';
import { slugOf } from '../slug.js';
import type { Fields, Kind } from './kind.js';

/** A record as a file. */
export interface RecordFile {
  path: string;
  key: string;
  fields: Fields;
}

/** Limits: bytes of a file, and files of one kind. */
const MAX_BYTES = 4 * 1_048_576;
const MOST_FILES = 10_000;

const FRONT_MATTER = /^---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*\r?\n(?:\r?\n)?([^]*)$/;

const pathsOf = (folder: string, kind: Kind): string[] => {
  const place = join(folder, kind.folder);
  if (!existsSync(place)) return [];
  const names = readdirSync(place).sort();
  if (names.length > MOST_FILES) throw new CommandRefused(`${place} has more than ${MOST_FILES} files.`);
  if (kind.fileName !== undefined) {
    const { fileName } = kind;
    return names.map((name) => join(place, name, fileName)).filter((path) => existsSync(path));
  }
  const ending = kind.textField === undefined ? /\.ya?ml$/ : /\.md$/;
  return names.filter((name) => ending.test(name)).map((name) => join(place, name));
};

/** Reads the records of a kind from their files. @throws CommandRefused when a file is invalid, or two files describe the same record */
export function readRecords(folder: string, kind: Kind): RecordFile[] {
  const files = pathsOf(folder, kind).map((path) => readRecord(path, kind));
  for (const [place, { key, path }] of files.entries()) {
    const other = files.slice(0, place).find((file) => file.key === key);
    if (other) throw new CommandRefused(`${other.path} and ${path} both have the ${kind.key} "${key}".`);
  }
  return files;
}

function readRecord(path: string, kind: Kind): RecordFile {
  if (statSync(path).size > MAX_BYTES) throw new CommandRefused(`${path} is larger than 4 MiB.`);
  const text = readFileSync(path, 'utf8');
  const result = kind.schema.safeParse(valueOf(path, text, kind));
  if (!result.success) {
    const faults = result.error.issues.map(({ path: at, message }) => `\n  ${at.join('.') || 'file'}: ${message}`);
    throw new CommandRefused(`${path} is not the file of a ${kind.name}:${faults.join('')}`, { cause: result.error });
  }
  const fields: Fields = result.data;
  return { path, key: String(fields[kind.key]), fields };
}

function valueOf(path: string, text: string, { textField }: Kind): unknown {
  const [, front = '', body] = textField === undefined ? ['', text, ''] : (FRONT_MATTER.exec(text) ?? []);
  if (body === undefined) throw new CommandRefused(`${path} has no front matter between two lines of ---.`);
  try {
    const value: unknown = parse(front);
    if (typeof value !== 'object' || value === null) return {};
    return textField === undefined ? value : { ...value, [textField]: body.replace(/\r?\n$/, '') };
  } catch (error) {
    throw new CommandRefused(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** Returns the text of a record's file: fields in the order of the schema, without those that have their default value. */
export function textOf({ schema, key, textField }: Kind, fields: Fields): string {
  const named = Object.keys(schema.shape).filter((name) => {
    if (name === textField) return false;
    const { success, data } = schema.shape[name]?.safeParse(undefined) ?? {};
    return name === key || !success || !isDeepStrictEqual(data, fields[name]);
  });
  const front = stringify(Object.fromEntries(named.map((name) => [name, fields[name]])), {
    lineWidth: 0,
    blockQuote: 'literal',
  });
  return textField === undefined ? front : `---\n${front}---\n\n${String(fields[textField])}\n`;
}

export interface WrittenFile {
  path: string;
  result: 'written' | 'unchanged' | 'kept: differs';
}

/** Writes a record's file. When the file exists with other content, it is changed only with `force`. */
export function writeRecord(path: string, text: string, force: boolean): WrittenFile {
  const present = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  if (present === text) return { path, result: 'unchanged' };
  if (present !== undefined && !force) return { path, result: 'kept: differs' };
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return { path, result: 'written' };
}

/** Returns the path of a record's file: of its existing file, otherwise of an unused path that is made from the record's key. */
export function pathFor(
  folder: string,
  kind: Kind,
  key: string,
  files: readonly RecordFile[],
  taken: Set<string>,
): string {
  const present = files.find((file) => file.key === key)?.path;
  if (present !== undefined) return present;
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? slugOf(key) : `${slugOf(key)}-${number}`;
    const ending = kind.textField === undefined ? 'yaml' : 'md';
    const path = join(
      folder,
      kind.folder,
      kind.fileName === undefined ? `${slug}.${ending}` : join(slug, kind.fileName),
    );
    if (taken.has(path) || files.some((file) => file.path === path)) continue;
    taken.add(path);
    return path;
  }
}
