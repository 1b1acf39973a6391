// @ts-check
import { root } from '../../tools/workspace.mjs';
import { queryOnce } from '../databases.mjs';
import { startInstallation } from '../installation.mjs';
import { measureLoad, VoidRound } from '../load.mjs';
import { inRounds, roundsTable, valuesOf } from '../rounds.mjs';

/** @typedef {import('../run.mjs').Context} Context */
/** @typedef {import('../run.mjs').Outcome} Outcome */

const CLIENTS = 100;
const WARMING = 3_000;

/**
 * Measures goal P13: the creation of skills, each with an audit row. A round is void when the number of committed audit rows differs from the number
 * of 2xx answers.
 *
 * @param {Context} context @returns {Promise<Outcome>}
 */
export async function measureWrites(context) {
  // All clients use one account and one address. The default limits would refuse this number of requests in progress.
  const env = { MAX_IN_FLIGHT_PER_USER: String(2 * CLIENTS), MAX_IN_FLIGHT_PER_ADDRESS: String(2 * CLIENTS) };
  const installation = await startInstallation(context.servers, 'writes', root, env);
  const { url, pid, databaseUrl, apiKey } = installation;
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  let last = 0;
  const written = async () => {
    const text = `SELECT count(*)::int AS n FROM governance_decisions WHERE action = 'skill.create'`;
    /** @type {{ n: number }[]} */
    const [row] = await queryOnce(databaseUrl, text);
    return row?.n ?? 0;
  };
  const writes = (/** @type {number} */ most) => async (/** @type {boolean} */ isWarming) => {
    const amount = isWarming ? Math.min(most, WARMING) : most;
    const before = await written();
    const loaded = await measureLoad([pid], {
      ...{ url, connections: CLIENTS, amount },
      asked: [
        {
          ...{ method: 'POST', path: '/api/v1/skills', headers },
          body: () =>
            JSON.stringify({
              name: `Skill ${(last += 1)}`,
              description: 'Handles a request.',
              instructions: 'Answer it.',
            }),
        },
      ],
    });
    const rows = (await written()) - before;
    if (rows !== loaded.ok) throw new VoidRound(`${loaded.ok} answers of 2xx, ${rows} audit rows`);
    return { ...loaded, rows };
  };
  try {
    const rounds = await inRounds({ few: writes(200), many: writes(20_000) }, context.rounds);
    return {
      rows: {
        P13: {
          few: valuesOf(rounds, 'perSecond', 'few'),
          fewP99: valuesOf(rounds, 'p99', 'few'),
          many: valuesOf(rounds, 'perSecond', 'many'),
          manyP99: valuesOf(rounds, 'p99', 'many'),
        },
      },
      tables: { 'P13: audited writes': roundsTable(rounds, ['cpu', 'perSecond', 'p50', 'p99', 'ok', 'rows']) },
    };
  } finally {
    await installation.stop();
  }
}
