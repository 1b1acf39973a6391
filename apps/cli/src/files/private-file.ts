import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { CommandRefused } from '../command-refused.js';

/** Reads a JSON file; `undefined` when the file does not exist. @throws CommandRefused when its content is not valid. */
export function readPrivate<Schema extends z.ZodType>(file: string, schema: Schema): z.output<Schema> | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new CommandRefused(`${file} is not valid. Remove it and log in again.`, { cause: error });
  }
}

/** Replaces a JSON file atomically. Only its owner can read the new file. */
export function writePrivate(file: string, value: object): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.new`;
  writeFileSync(next, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  chmodSync(next, 0o600); // writeFileSync keeps the mode of a file left by an earlier run
  renameSync(next, file);
}
