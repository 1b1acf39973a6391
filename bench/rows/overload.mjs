// @ts-check
import { measureLoad } from '../load.mjs';
import { memoryOf } from '../processes.mjs';
import { inRounds, roundsTable } from '../rounds.mjs';
import { startWithSkills } from './skills.mjs';

/** @typedef {import('../run.mjs').Context} Context */
/** @typedef {import('../run.mjs').Outcome} Outcome */

const CLIENTS = 32;
/** Number of clients: fewer than the connections that a service accepts from one address. */
const MANY_CLIENTS = 400;
const REFUSALS = [429, 503];

/**
 * Measures goal P16: the behaviour of a service that receives twice as many requests as it can serve.
 *
 * @param {Context} context
 * @returns {Promise<Outcome>}
 */
export async function measureOverload(context) {
  const installation = await startWithSkills(context, 'overload');
  const { url, pids, headers, path } = installation.asked;
  const asked = [{ method: 'GET', path, headers }];
  const memory = () => memoryOf(installation.pid, 'VmRSS');
  try {
    const rounds = await inRounds(
      {
        async both(isWarming) {
          const seconds = isWarming ? 3 : context.seconds;
          const full = await measureLoad(pids, { url, connections: CLIENTS, seconds, asked });
          const capacity = full.perSecond;
          const before = memory();
          const over = await measureLoad(pids, {
            ...{ url, connections: MANY_CLIENTS, seconds, asked, allowed: REFUSALS },
            perSecond: capacity * 2,
          });
          return {
            capacity,
            offered: capacity * 2,
            answered: over.perSecond,
            served: over.ok / over.seconds,
            share: over.ok / over.seconds / capacity,
            p99: over.p99,
            memory: memory() - before,
          };
        },
      },
      context.rounds,
    );
    const of = (/** @type {'share' | 'p99' | 'memory'} */ name) =>
      rounds.map(({ sides }) => sides['both']?.[name] ?? NaN);
    return {
      rows: { P16: { served: of('share'), refused: of('p99'), memory: of('memory') } },
      tables: {
        'P16: overload': roundsTable(rounds, ['capacity', 'offered', 'answered', 'served', 'p99', 'memory']),
      },
    };
  } finally {
    await installation.stop();
  }
}
