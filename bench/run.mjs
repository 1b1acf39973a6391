// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { startTestServers } from '../tools/test-servers.mjs';
import { root } from '../tools/workspace.mjs';
import { boundsOf, ROWS, verdictOf } from './goals.mjs';
import { VoidRound } from './load.mjs';
import { median } from './median.mjs';
import { profileServices, topFunctions } from './profiles.mjs';
import { rounded } from './rounds.mjs';
import { measureDependencies } from './rows/dependencies.mjs';
import { measureGateway } from './rows/gateway.mjs';
import { measureLists } from './rows/lists.mjs';
import { measureMessages } from './rows/messages.mjs';
import { measureOverload } from './rows/overload.mjs';
import { measurePrompts } from './rows/prompts.mjs';
import { measureRelay } from './rows/relay.mjs';
import { measureReplicas } from './rows/replicas.mjs';
import { measureServices } from './rows/services.mjs';
import { measureSkills } from './rows/skills.mjs';
import { measureTokens } from './rows/tokens.mjs';
import { measureWrites } from './rows/writes.mjs';

/**
 * @typedef {object} Context
 * @property {{ TEST_DATABASE_URL: string, TEST_REDIS_URL: string }} servers
 * @property {number} rounds number of measured rounds
 * @property {number} seconds duration of each load
 * @property {(row: string) => boolean} wants whether a row of the part is measured
 *
 * @typedef {object} Outcome
 * @property {{ [row: string]: Record<string, number[]> | { reason: string } }} rows the figures of each round, or the reason why there are none
 * @property {Record<string, object>} tables the measurements from which the figures were computed, by title
 *
 * @typedef {{ rows: string[], measure: (context: Context) => Promise<Outcome> }} Part
 */

/** @type {Record<string, Part>} */
const PARTS = {
  skills: { rows: ['P1', 'P2', 'P3'], measure: measureSkills },
  lists: { rows: ['P4', 'P5'], measure: measureLists },
  gateway: { rows: ['P6', 'P7'], measure: measureGateway },
  prompts: { rows: ['P8', 'P9', 'P12'], measure: measurePrompts },
  tokens: { rows: ['P10'], measure: measureTokens },
  relay: { rows: ['P11'], measure: measureRelay },
  writes: { rows: ['P13'], measure: measureWrites },
  services: { rows: ['P14'], measure: measureServices },
  replicas: { rows: ['P15'], measure: measureReplicas },
  overload: { rows: ['P16'], measure: measureOverload },
  // Parts without rows run only when the command names them. `messages` also builds another commit.
  dependencies: { rows: [], measure: measureDependencies },
  messages: { rows: [], measure: measureMessages },
};

const RESULTS = join(root, 'bench/results/latest.json');

/**
 * Runs parts of the benchmark, prints their tables, and stores the figures and a description of the machine as JSON.
 *
 * @param {string[]} args names of rows and parts, `--rounds`, `--seconds` and `--profile`
 */
export async function runBench(args) {
  const read = readArguments(args);
  if (typeof read === 'string') {
    console.error(read);
    process.exit(2);
  }
  const { wanted, rounds, seconds, isProfiled } = read;
  if (isProfiled) profileServices();
  // Started programs are ended by the `exit` event of this process. A signal without a handler would end this process without that event.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  const machine = {
    ...{ cpus: cpus().length, model: cpus()[0]?.model, memoryGiB: Math.round(totalmem() / 2 ** 30) },
    ...{ node: process.version, load: loadavg() },
  };
  /** @type {Outcome} */
  const all = { rows: {}, tables: {} };
  for (const [name, part] of Object.entries(PARTS)) {
    const rows = wanted.get(name);
    if (!rows) continue;
    console.error(`${name}${rows.length > 0 ? ` (${rows.join(', ')})` : ''}: ${rounds} rounds of ${seconds} s …`);
    const outcome = await measurePart(part, rows, { rounds, seconds });
    Object.assign(all.rows, outcome.rows);
    for (const [row, measured] of Object.entries(outcome.rows))
      if ('reason' in measured) console.error(`${row} is not measured: ${String(measured.reason)}`);
    for (const [title, table] of Object.entries(outcome.tables)) {
      console.log(`\n${title}`);
      console.table(table);
    }
    Object.assign(all.tables, outcome.tables);
    // The results are stored after each part, so that they are not lost when the run is interrupted.
    store({ machine, ...all }, args);
  }
  for (const [title, table] of Object.entries(isProfiled ? topFunctions() : {})) {
    console.log(`\n${title}`);
    console.table(table);
  }
  console.log('\nGoals: the median of the rounds, and each round from the calmest to the busiest');
  console.table(tableOf(all.rows));
}

/** @param {Outcome & { machine: object }} measured @param {string[]} args */
function store(measured, args) {
  mkdirSync(dirname(RESULTS), { recursive: true });
  const about = { at: new Date().toISOString(), command: ['npm run bench --', ...args].join(' ') };
  writeFileSync(RESULTS, `${JSON.stringify({ ...about, goals: tableOf(measured.rows), ...measured }, null, 2)}\n`);
}

/** @param {Part} part @param {string[]} rows @param {Pick<Context, 'rounds' | 'seconds'>} how @returns {Promise<Outcome>} */
async function measurePart(part, rows, how) {
  const servers = await startTestServers();
  try {
    return await part.measure({ ...how, servers: servers.env, wants: (row) => rows.includes(row) });
  } catch (failure) {
    // The failure of one part does not prevent the measurement of the other parts.
    process.exitCode = 1;
    if (!(failure instanceof VoidRound)) console.error(failure);
    const { message } = /** @type {Error} */ (failure);
    const reason = failure instanceof VoidRound ? `void: ${message}` : message;
    return { rows: Object.fromEntries(rows.map((row) => [row, { reason }])), tables: {} };
  } finally {
    await servers.stop();
  }
}

/** Parses the arguments. Returns the parts and rows to measure with the options, or a text that explains the fault. @param {string[]} args */
function readArguments(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    strict: false,
    options: {
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '5' },
      profile: { type: 'boolean', default: false },
    },
  });
  const unknown = Object.keys(values).find((name) => !['rounds', 'seconds', 'profile'].includes(name));
  if (unknown !== undefined)
    return `There is no option --${unknown}: the options are --rounds, --seconds and --profile.`;
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
  for (const [name, value] of Object.entries({ rounds, seconds }))
    if (!Number.isInteger(value) || value < 1 || value > 600) return `--${name} is a whole number from 1 to 600.`;
  /** @type {Map<string, string[]>} */
  const wanted = new Map();
  const named = positionals.length > 0 ? positionals : Object.keys(PARTS).filter((name) => PARTS[name]?.rows.length);
  for (const name of named) {
    const row = name.toUpperCase();
    const owner = Object.keys(PARTS).find((part) => PARTS[part]?.rows.includes(row));
    const rows = PARTS[name]?.rows;
    if (rows) wanted.set(name, rows);
    else if (owner) wanted.set(owner, [...new Set([...(wanted.get(owner) ?? []), row])]);
    else
      return `There is no row or part ${name}. Rows: ${Object.keys(ROWS).join(', ')}. Parts: ${Object.keys(PARTS).join(', ')}.`;
  }
  return { wanted, rounds, seconds, isProfiled: values.profile === true };
}

/** Makes a table with a line for each figure of each row. @param {Outcome['rows']} rows */
function tableOf(rows) {
  return Object.entries(rows)
    .toSorted(([a], [b]) => Number(a.slice(1)) - Number(b.slice(1)))
    .flatMap(([name, measured]) =>
      Object.entries(ROWS[name]?.goals ?? {}).map(([key, goal]) => {
        const line = { row: name, figure: goal.name, ...boundsOf(goal) };
        if ('reason' in measured)
          return { ...line, measured: 'not measured', rounds: String(measured.reason), verdict: '–' };
        const values = measured[key] ?? [];
        const value = median(values);
        return {
          ...line,
          measured: `${rounded(value)}${goal.unit ?? ''}`,
          rounds: values.map(rounded).join(' '),
          verdict: verdictOf(goal, value),
        };
      }),
    );
}
