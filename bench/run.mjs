// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { startTestServers } from '../tools/test-servers.mjs';
import { root } from '../tools/workspace.mjs';
import { measureLists } from './lists.mjs';
import { measureRelay } from './relay.mjs';

const RESULTS = join(root, 'bench/results/latest.json');

/** Prints a table, and keeps the figures with the machine's as JSON. */
export async function runBench() {
  const machine = { cpus: cpus().length, model: cpus()[0]?.model, node: process.version, load: loadavg() };
  const servers = await startTestServers();
  try {
    const relay = wanted('relay') ? await measureRelay(servers.env) : undefined;
    const lists = wanted('lists') ? await measureLists(servers.env) : undefined;
    for (const figures of [relay, lists]) if (figures) console.table(figures);
    mkdirSync(dirname(RESULTS), { recursive: true });
    writeFileSync(RESULTS, `${JSON.stringify({ at: new Date().toISOString(), machine, relay, lists }, null, 2)}\n`);
  } finally {
    await servers.stop();
  }
}

/** Whether the command names this part, or none. @param {string} part */
const wanted = (part) => process.argv.length < 3 || process.argv.includes(part);
