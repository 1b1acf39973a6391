/** The address of a server that all tests of a run share. Jest's global setup starts this server, unless `npm test` has already started it. */
export function testServer(name: 'TEST_DATABASE_URL' | 'TEST_REDIS_URL'): string {
  const url = process.env[name];
  if (!url) throw new Error(`${name} is not set: run tests with the workspace's jest.config.mjs`);
  return url;
}

/** Whether `npm test` has built the apps before its tests. */
export const areAppsBuilt = (): boolean => process.env['TEST_APPS_BUILT'] !== undefined;

/** Number of rows of a table in a soak test: `SOAK_ROWS`, or ten million. */
export const soakRows = (): number => Number(process.env['SOAK_ROWS'] ?? 10_000_000);

/** The embedding model of `npm run search:recall`. @throws Error when there is none */
export function embeddingServer(): { endpoint: string; name: string; apiKey?: string } {
  const { EMBEDDINGS_URL: endpoint, EMBEDDINGS_MODEL: name, EMBEDDINGS_KEY: apiKey } = process.env;
  if (!endpoint || !name)
    throw new Error('Set EMBEDDINGS_URL, the base address of an OpenAI-compatible API, and EMBEDDINGS_MODEL.');
  return { endpoint, name, ...(apiKey !== undefined && { apiKey }) };
}

/** The addresses by which a service under test reaches its database. */
export interface ServiceConnection {
  url: string;
  pooled: boolean;
  replicaUrl?: string;
}

/**
 * The connection of a service under test. It uses the pooler that `npm run pgbouncer` has started and the replica that `npm run replica`
 * has started. Without these, it is direct.
 *
 * @param url of a service's role (`asRole`), or of a superuser
 */
export function serviceConnection(url: string): ServiceConnection {
  const replica = process.env['TEST_REPLICA_URL'];
  if (replica !== undefined) return { url, pooled: false, replicaUrl: onServer(url, replica).href };
  const pooler = process.env['TEST_POOLER_URL'];
  if (pooler === undefined) return { url, pooled: false };
  const pooled = onServer(url, pooler);
  const [, role] = /role=millwright_(\w+)/.exec(pooled.searchParams.get('options') ?? '') ?? [];
  pooled.searchParams.delete('options');
  if (role !== undefined) Object.assign(pooled, { username: `pooled_${role}`, password: 'pooled' });
  return { url: pooled.href, pooled: true };
}

/** The address of the same database at another server. */
function onServer(url: string, server: string): URL {
  const moved = new URL(url);
  moved.host = new URL(server).host;
  return moved;
}

/** The settings by which a service reaches a database of the tests; see `serviceConnection`. */
export function databaseSettings(url: string): Record<string, string> {
  const { url: served, pooled, replicaUrl } = serviceConnection(url);
  return {
    DATABASE_URL: served,
    ...(pooled && { DATABASE_DIRECT_URL: url }),
    ...(replicaUrl !== undefined && { DATABASE_REPLICA_URL: replicaUrl }),
  };
}
