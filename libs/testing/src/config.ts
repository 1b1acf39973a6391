/** A server that all tests of a run share. Jest's global setup starts it, unless `npm test` has done so. */
export function testServer(name: 'TEST_DATABASE_URL' | 'TEST_REDIS_URL'): string {
  const url = process.env[name];
  if (!url) throw new Error(`${name} is not set: run tests with the workspace's jest.config.mjs`);
  return url;
}

/** Whether `npm test` has built the apps before its tests. */
export const areAppsBuilt = (): boolean => process.env['TEST_APPS_BUILT'] !== undefined;

/**
 * The connection of a service under test: by the pooler that `npm run pgbouncer` has started, else direct.
 *
 * @param url of a service's role (`asRole`), or of a superuser
 */
export function serviceConnection(url: string): { url: string; pooled: boolean } {
  const pooler = process.env['TEST_POOLER_URL'];
  if (pooler === undefined) return { url, pooled: false };
  const pooled = new URL(url);
  const [, role] = /role=millwright_(\w+)/.exec(pooled.searchParams.get('options') ?? '') ?? [];
  pooled.host = new URL(pooler).host;
  pooled.searchParams.delete('options');
  if (role !== undefined) Object.assign(pooled, { username: `pooled_${role}`, password: 'pooled' });
  return { url: pooled.href, pooled: true };
}

/** The settings by which a service reaches a database of the tests; see `serviceConnection`. */
export function databaseSettings(url: string): { DATABASE_URL: string; DATABASE_DIRECT_URL?: string } {
  const { url: served, pooled } = serviceConnection(url);
  return { DATABASE_URL: served, ...(pooled && { DATABASE_DIRECT_URL: url }) };
}
