// @ts-check
import { Agent, get } from 'node:http';
import { startInstallation } from './installation.mjs';
import { seedSkills } from './skills.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {{ rows: number, name: string, path: string, total: number, times: number[] }} Case */

const SIZES = [1_000, 1_000_000];
/** Alternates the cases, so that other load of the machine affects all alike. */
const ROUNDS = 20;
const REQUESTS = 15;

/** The list requests for an installation with `rows` rows. @param {number} rows @returns {Case[]} */
const casesOf = (rows) =>
  [
    { name: 'page 1 with total', path: '?page=1', total: rows },
    { name: 'page 1 by name', path: '?sort=name&order=asc', total: rows },
    { name: 'search that finds one', path: `?search=skill%20${rows}`, total: 1 },
    { name: 'search that finds none', path: '?search=zebra%20crossing', total: 0 },
    { name: 'page 10,000', path: '?page=10000', total: rows },
  ].map((one) => ({ ...one, rows, times: [] }));

/**
 * Goals P4 and P5: the milliseconds of lists with a thousand rows and with a million, one request at a time.
 *
 * @param {{ TEST_DATABASE_URL: string, TEST_REDIS_URL: string }} servers
 */
export async function measureLists(servers) {
  /** @type {{ installation: Installation, cases: Case[] }[]} */
  const measured = [];
  const agent = new Agent({ keepAlive: true });
  try {
    for (const rows of SIZES) {
      const installation = await startInstallation(servers, `lists_${rows}`);
      measured.push({ installation, cases: casesOf(rows) });
      await seedSkills(installation.databaseUrl, rows);
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { installation, cases } of measured)
        for (const one of cases) {
          for (let n = 0; n < REQUESTS; n += 1) {
            const time = await timeOf(agent, installation, one);
            // The first round is not measured, because it warms caches and plans.
            if (round > 0) one.times.push(time);
          }
        }
    }
  } finally {
    agent.destroy();
    await Promise.all(measured.map(({ installation }) => installation.stop()));
  }
  return measured.flatMap(({ cases }) => cases.map(summary));
}

/** @param {Case} measured */
function summary({ name, rows, times }) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (/** @type {number} */ share) => Number((sorted[Math.floor(sorted.length * share)] ?? NaN).toFixed(2));
  return { name, rows, requests: times.length, p50: at(0.5), p99: at(0.99) };
}

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
