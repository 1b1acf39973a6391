// @ts-check
import { startPlatform } from '../installation.mjs';
import { inRounds, ratios, roundsTable } from '../rounds.mjs';
import { measureGets, startWithSkills } from './skills.mjs';

/** @typedef {import('../run.mjs').Context} Context */
/** @typedef {import('../run.mjs').Outcome} Outcome */

const CLIENTS = 32;

/** Measures goal P15: the CPU time of a request with two replicas, compared with one replica. @param {Context} context @returns {Promise<Outcome>} */
export async function measureReplicas(context) {
  const first = await startWithSkills(context, 'replicas');
  const second = await startPlatform(context.servers, first.databaseUrl);
  try {
    const rounds = await inRounds(
      {
        'one replica': measureGets(context, first.asked, CLIENTS),
        async 'two replicas'(isWarming) {
          const both = [first.asked, { ...first.asked, url: second.url, pids: [second.pid] }];
          const halves = await Promise.all(both.map((one) => measureGets(context, one, CLIENTS / 2)(isWarming)));
          const requests = halves.reduce((sum, half) => sum + half.requests, 0);
          return {
            cpu: halves.reduce((sum, half) => sum + half.cpu * half.requests, 0) / requests,
            perSecond: halves.reduce((sum, half) => sum + half.perSecond, 0),
          };
        },
      },
      context.rounds,
    );
    return {
      rows: { P15: { cpu: ratios(rounds, 'cpu', 'two replicas', 'one replica') } },
      tables: { 'P15: replicas': roundsTable(rounds, ['cpu', 'perSecond']) },
    };
  } finally {
    await second.stop();
    await first.stop();
  }
}
