import type { HttpClient } from '@millwright/http/sweep';
import { createTestDatabase, listen, type TestDatabase } from '@millwright/testing';
import { startPlatform, type TestPlatform } from './test-platform.js';

export interface UsedPlatform {
  /** Filled before the first test. */
  platform: TestPlatform;
  /** A key that may do everything in Core. */
  client: HttpClient;
  /** The same in Commerce. */
  foreign: HttpClient;
}

/** Area B on a database of its own, for the tests of the file that calls it. */
export function usePlatform(): UsedPlatform {
  const platform = {} as TestPlatform;
  let database: TestDatabase;
  let clients: Record<'Core' | 'Commerce', HttpClient>;

  beforeAll(async () => {
    database = await createTestDatabase();
    Object.assign(platform, await startPlatform(database.url, listen));
    clients = { Core: await platform.clientOf('Core'), Commerce: await platform.clientOf('Commerce') };
  });
  afterAll(async () => {
    await platform.close();
    await database.drop();
  });
  return { platform, client: (...call) => clients.Core(...call), foreign: (...call) => clients.Commerce(...call) };
}
