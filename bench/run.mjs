// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { startTestServers } from '../tools/test-servers.mjs';
import { root } from '../tools/workspace.mjs';
import { measureGateway } from './gateway.mjs';
import { measureLists } from './lists.mjs';
import { measureMessages } from './messages.mjs';
import { measureRelay } from './relay.mjs';
import { measureServices } from './services.mjs';

const RESULTS = join(root, 'bench/results/latest.json');

/** @type {Record<string, () => Promise<object>>} */
const measures = {
  gateway: measureGateway,
  async lists() {
    const servers = await startTestServers();
    return measureLists(servers.env).finally(() => servers.stop());
  },
  async relay() {
    const servers = await startTestServers();
    return measureRelay(servers.env).finally(() => servers.stop());
  },
  async services() {
    const servers = await startTestServers();
    return measureServices(servers.env).finally(() => servers.stop());
  },
  async messages() {
    const servers = await startTestServers();
    return measureMessages(servers.env).finally(() => servers.stop());
  },
};

/** The measurements that run without being named: all except the measurement that builds another commit. */
const UNNAMED = Object.keys(measures).filter((name) => name !== 'messages');

/** Runs parts of the benchmark, prints their tables, and stores the figures and a description of the machine as JSON. @param {string[]} named the parts; when empty, all except `messages` */
export async function runBench(named) {
  const machine = { cpus: cpus().length, model: cpus()[0]?.model, node: process.version, load: loadavg() };
  /** @type {Record<string, object>} */
  const results = {};
  for (const name of named.length > 0 ? named : UNNAMED) {
    const measure = measures[name];
    if (!measure) throw new Error(`There is no measure ${name}: ${Object.keys(measures).join(', ')}.`);
    const result = await measure();
    results[name] = result;
    if (Array.isArray(result)) console.table(result);
    else for (const [title, table] of Object.entries(result)) console.log(title, table);
  }
  mkdirSync(dirname(RESULTS), { recursive: true });
  writeFileSync(RESULTS, `${JSON.stringify({ at: new Date().toISOString(), machine, ...results }, null, 2)}\n`);
}
