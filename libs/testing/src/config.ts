/** The server that a test run has: the global setup of Jest starts it when `npm test` has not. */
export function testServer(name: 'TEST_DATABASE_URL' | 'TEST_REDIS_URL'): string {
  const url = process.env[name];
  if (!url) throw new Error(`${name} is not set: run tests with the workspace's jest.config.mjs`);
  return url;
}

/** Whether `npm test` has built the apps before its tests. */
export const areAppsBuilt = (): boolean => process.env['TEST_APPS_BUILT'] !== undefined;
