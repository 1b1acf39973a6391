// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { startTestServers } from '../tools/test-servers.mjs';
import { root } from '../tools/workspace.mjs';
import { measureLists } from './lists.mjs';

const RESULTS = join(root, 'bench/results/latest.json');

/** Prints a table, and keeps the figures with the machine's as JSON. */
export async function runBench() {
  const machine = { cpus: cpus().length, model: cpus()[0]?.model, node: process.version, load: loadavg() };
  const servers = await startTestServers();
  const lists = await measureLists(servers.env).finally(() => servers.stop());
  console.table(lists);
  mkdirSync(dirname(RESULTS), { recursive: true });
  writeFileSync(RESULTS, `${JSON.stringify({ at: new Date().toISOString(), machine, lists }, null, 2)}\n`);
}
