// @ts-check
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** @param {string} file @returns {any} undefined when the file does not exist */
export function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/**
 * Writes a file that only its owner can read. Readers get the old or the new content, and never a part of it.
 *
 * @param {string} file
 * @param {string} content
 */
export function writePrivate(file, content) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, content, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** @param {string} file @param {unknown} value */
export function writeJson(file, value) {
  writePrivate(file, `${JSON.stringify(value, null, 2)}\n`);
}

/**
 * Runs a write, and reports its failure instead of throwing it. A full disk, for example, must not end the running installation.
 *
 * @param {() => void} write
 * @param {(line: string) => void} say receives the failure
 */
export function unlessFull(write, say) {
  try {
    write();
  } catch (error) {
    say(/** @type {Error} */ (error).message);
  }
}
