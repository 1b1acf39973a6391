// @ts-check
import { Agent, get } from 'node:http';
import { startInstallation } from '../installation.mjs';
import { quantile } from '../median.mjs';
import { inRounds, roundsTable } from '../rounds.mjs';
import { seedSkills } from '../seed-skills.mjs';

/** @typedef {import('../installation.mjs').Installation} Installation */
/** @typedef {{ rows: number, name: string, path: string, total: number }} Case */
/** @typedef {import('../run.mjs').Context} Context */
/** @typedef {import('../run.mjs').Outcome} Outcome */

const SIZES = [1_000, 1_000_000];
const [FEW, MANY] = SIZES;
/** Requests of each case in a round. */
const REQUESTS = 60;
const [PAGE_1, SEARCHES, DEEP] = [
  'page 1 with total',
  ['search that finds one', 'search that finds none'],
  'page 10,000',
];

/** Returns the list requests for an installation with `rows` rows. @param {number} rows @returns {Case[]} */
const casesOf = (rows) =>
  [
    { name: 'page 1 with total', path: '?page=1', total: rows },
    { name: 'page 1 by name', path: '?sort=name&order=asc', total: rows },
    { name: 'search that finds one', path: `?search=skill%20${rows}`, total: 1 },
    { name: 'search that finds none', path: '?search=zebra%20crossing', total: 0 },
    { name: 'page 10,000', path: '?page=10000', total: rows },
  ].map((one) => ({ ...one, rows }));

/**
 * Measures goals P4 and P5: the response times of lists in an installation with a thousand rows, and in an installation with a million rows. Sends
 * one request at a time.
 *
 * @param {Context} context @returns {Promise<Outcome>}
 */
export async function measureLists({ servers, rounds: count }) {
  /** @type {Installation[]} */
  const installations = [];
  const agent = new Agent({ keepAlive: true });
  try {
    /** @type {Record<string, () => Promise<{ p50: number, p99: number }>>} */
    const sides = {};
    for (const rows of SIZES) {
      const installation = await startInstallation(servers, `lists_${rows}`);
      installations.push(installation);
      await seedSkills(installation.databaseUrl, rows);
      for (const one of casesOf(rows))
        sides[sideOf(one.name, rows)] = async () => {
          const times = [];
          for (let n = 0; n < REQUESTS; n += 1) times.push(await timeOf(agent, installation, one));
          return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
        };
    }
    const rounds = await inRounds(sides, count);
    const p50 = (/** @type {string} */ name, rows = MANY) =>
      rounds.map((round) => round.sides[sideOf(name, rows)]?.p50 ?? NaN);
    const few = p50(PAGE_1, FEW);
    const searches = SEARCHES.map((name) => p50(name));
    return {
      rows: {
        P4: { p50: p50(PAGE_1).map((value, round) => value / (few[round] ?? NaN)) },
        P5: {
          search: rounds.map((_, round) => Math.max(...searches.map((values) => values[round] ?? NaN))),
          deep: p50(DEEP),
        },
      },
      tables: { 'P4, P5: lists, milliseconds': roundsTable(rounds, ['p50', 'p99']) },
    };
  } finally {
    agent.destroy();
    await Promise.all(installations.map((installation) => installation.stop()));
  }
}

/** @param {string} name @param {number} [rows] */
const sideOf = (name, rows) => `${name}, ${rows} rows`;

/** @param {Agent} agent @param {Installation} installation @param {Case} asked the measured request @returns {Promise<number>} */
function timeOf(agent, { url, apiKey }, { path, total }) {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const request = get(`${url}/api/v1/skills${path}`, { agent, headers: { authorization: `Bearer ${apiKey}` } });
    request.once('error', reject).once('response', async (response) => {
      const text = (await response.toArray()).join('');
      const time = performance.now() - started;
      if (response.statusCode === 200 && JSON.parse(text).total === total) resolve(time);
      else reject(new Error(`${path}: ${response.statusCode} instead of a total of ${total}: ${text.slice(0, 300)}`));
    });
  });
}
