import { startScheduler, type Job } from './index.js';
import { openDatabase, pollUntil } from './test-jobs.js';

/**
 * A replica in a separate process, started with the database's URL and the jobs as arguments. The handler of the jobs waits while the gate
 * in the database is closed.
 */
const [, , databaseUrl = '', jobs = '[]'] = process.argv;
const db = openDatabase(databaseUrl);

await startScheduler({
  db,
  databaseUrl,
  jobs: JSON.parse(jobs) as Job[],
  checkEvery: 500,
  onRun: () => undefined,
  onError: (error) => process.stderr.write(`${String(error)}\n`),
  handlers: {
    mark: async ({ job, scheduledAt, step, commit }) => {
      await step((tx) => tx.$executeRaw`INSERT INTO begun (tick, pid) VALUES (${scheduledAt}, ${process.pid})`);
      await pollUntil(async () => {
        const [gate] = await db.prisma.$queryRaw<{ closed: boolean }[]>`SELECT closed FROM gate`;
        return gate?.closed ? undefined : true;
      });
      return commit(async (tx) => {
        await tx.$executeRaw`INSERT INTO effects (job, tick, pid) VALUES (${job}, ${scheduledAt}, ${process.pid})`;
        return { marked: 1 };
      });
    },
  },
});
process.stdout.write('ready\n');
