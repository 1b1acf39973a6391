// @ts-check
import { startRedis } from './redis.mjs';
import { startTemporaryPostgres } from './temporary-postgres.mjs';

/**
 * Starts a PostgreSQL and a Redis for one test run. Their data are deleted at the end. They end with `stop`, or with this process.
 *
 * @param {Record<string, string>} [settings] parameters of PostgreSQL
 * @returns {Promise<{ env: { TEST_DATABASE_URL: string, TEST_REDIS_URL: string }, stop: () => Promise<void> }>}
 */
export async function startTestServers(settings) {
  const redis = await startRedis();
  const postgres = await startTemporaryPostgres(settings);
  return {
    env: { TEST_DATABASE_URL: postgres.url, TEST_REDIS_URL: redis.url },
    async stop() {
      await Promise.all([redis.stop(), postgres.stop()]);
    },
  };
}
