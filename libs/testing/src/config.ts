/** A server that all tests of a run share. Jest's global setup starts it, unless `npm test` has done so. */
export function testServer(name: 'TEST_DATABASE_URL' | 'TEST_REDIS_URL'): string {
  const url = process.env[name];
  if (!url) throw new Error(`${name} is not set: run tests with the workspace's jest.config.mjs`);
  return url;
}

/** Whether `npm test` has built the apps before its tests. */
export const areAppsBuilt = (): boolean => process.env['TEST_APPS_BUILT'] !== undefined;
