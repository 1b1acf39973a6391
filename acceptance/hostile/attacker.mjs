// @ts-check
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { attacks } from './attacks.mjs';

/**
 * This program runs as a separate process of low priority, so that its work does not delay honest callers. It reads the attack as JSON from
 * standard input, attacks until SIGTERM, and prints the number of answers by status.
 */
setPriority(10);
const { attack, target } = JSON.parse(await text(process.stdin));
const stopping = new AbortController();
// The timer keeps the process alive while no request is open.
const waiting = setInterval(() => undefined, 1_000);
process.once('SIGTERM', () => {
  clearInterval(waiting);
  stopping.abort();
});

/** @type {Record<string, number>} */
const answers = {};
/** @param {string | number} answer */
const note = (answer) => {
  answers[answer] = (answers[answer] ?? 0) + 1;
};
const run = attacks[attack]?.(target, stopping.signal, note);
if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
// Unfinished requests are abandoned after half a second.
await Promise.race([run, new Promise((resolve) => setTimeout(resolve, 500))]);
process.stdout.write(JSON.stringify(answers), () => process.exit(0));
