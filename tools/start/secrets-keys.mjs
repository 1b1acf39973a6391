// @ts-check
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivate } from './state-files.mjs';

/** Returns the key ring under which the secrets of upstreams are encrypted. Creates the key ring at the first start. @param {string} folder */
export function secretsKeys(folder) {
  const file = join(folder, 'secrets.keys');
  if (!existsSync(file)) writePrivate(file, `local:${randomBytes(32).toString('base64')}\n`);
  return readFileSync(file, 'utf8').trim();
}
