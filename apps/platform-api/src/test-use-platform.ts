import { createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { startPlatform, type TestPlatform } from './test-platform.js';

export interface UsedPlatform {
  /** Database of the tests, set before the first test. */
  database: TestDatabase;
  /** Platform API of the tests, set before the first test. */
  platform: TestPlatform;
  /** HTTP client with an API key that has every scope in the project Core. */
  client: HttpClient;
  /** HTTP client with an API key that has every scope in the project Commerce. */
  foreign: HttpClient;
}

/** Starts the platform API on a new database for the tests of the calling file. */
export function usePlatform(): UsedPlatform {
  const platform = {} as TestPlatform;
  const database = {} as TestDatabase;
  let clients: Record<'Core' | 'Commerce', HttpClient>;

  beforeAll(async () => {
    Object.assign(database, await createTestDatabase());
    Object.assign(platform, await startPlatform(database.url));
    clients = { Core: await platform.clientOf('Core'), Commerce: await platform.clientOf('Commerce') };
  });
  afterAll(async () => {
    await platform.close();
    await database.drop();
  });
  return {
    database,
    platform,
    client: (...call) => clients.Core(...call),
    foreign: (...call) => clients.Commerce(...call),
  };
}
