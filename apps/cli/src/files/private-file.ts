import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { Refusal } from '../output.js';

/** Reads a JSON file; `undefined` when it is not there. @throws Refusal when it holds something else. */
export function readPrivate<Schema extends z.ZodType>(file: string, schema: Schema): z.output<Schema> | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Refusal(`${file} is not what this program wrote: remove it and log in again.`, { cause: error });
  }
}

/** Writes a JSON file that only its owner reads, and that is never seen half written. */
export function writePrivate(file: string, value: object): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.new`;
  writeFileSync(next, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  chmodSync(next, 0o600); // what an earlier run left behind keeps its mode
  renameSync(next, file);
}
