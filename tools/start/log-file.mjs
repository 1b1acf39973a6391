// @ts-check
import { createWriteStream, existsSync, mkdirSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';

/** Size in bytes at which a log continues in a new file. One earlier file is kept, so a log needs up to twice this space. */
const MAX_BYTES = 20 * 1024 ** 2;
/** Limit of the bytes that wait for a slow disk. Lines beyond it are dropped. */
const MAX_WAITING_BYTES = 1024 ** 2;
/** Pause before a log that could not be written is opened again. */
const REOPEN_MS = 5_000;

/**
 * @typedef {object} LogFile
 * @property {(line: string) => void} write never fails: lines that cannot be written to the disk are dropped
 * @property {() => Promise<void>} end resolves when all accepted lines are written
 */

/**
 * Opens a log file of bounded size; the earlier file becomes `<name>.previous.log`. When the disk is full, lines are lost, but no error is thrown:
 * the fault is reported once, and writing continues when there is space.
 *
 * @param {string} file ends in `.log`
 * @param {(line: string) => void} report receives a line for the terminal when the file cannot be written
 * @param {{ maxBytes?: number, reopenMs?: number }} [limits]
 * @returns {LogFile}
 */
export function openLogFile(file, report, { maxBytes = MAX_BYTES, reopenMs = REOPEN_MS } = {}) {
  /** @type {import('node:fs').WriteStream | undefined} */
  let stream;
  let written = 0;
  let reopenAt = 0;
  let isReported = false;

  /** @param {unknown} error */
  function fail(error) {
    stream = undefined;
    reopenAt = Date.now() + reopenMs;
    if (!isReported)
      report(`${file} cannot be written (${/** @type {Error} */ (error).message}); its lines are dropped.`);
    isReported = true;
  }

  function open() {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      if (existsSync(file)) renameSync(file, file.replace(/\.log$/, '.previous.log'));
      const opened = createWriteStream(file, { fd: openSync(file, 'w', 0o600) });
      opened.on('error', (error) => {
        if (stream === opened) fail(error);
      });
      stream = opened;
      written = 0;
    } catch (error) {
      fail(error);
    }
  }

  open();
  return {
    write(line) {
      if (!stream && Date.now() >= reopenAt) open();
      if (stream && written > maxBytes) {
        stream.end();
        open();
      }
      if (!stream || stream.writableLength > MAX_WAITING_BYTES) return;
      written += Buffer.byteLength(line) + 1;
      stream.write(`${line}\n`, (error) => {
        if (!error) isReported = false;
      });
    },
    async end() {
      const last = stream;
      stream = undefined;
      reopenAt = Infinity;
      if (last) await new Promise((resolve) => void last.once('close', resolve).end());
    },
  };
}
