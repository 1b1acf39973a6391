import { randomBytes } from 'node:crypto';
import { createTestDatabase } from '@millwright/testing';
import { seed } from '../../tools/seed/run-seed.mjs';

/** A database that `npm run seed` has filled already. */
const givenUrl = process.env['SEEDED_DATABASE_URL'];

/** Creates a database and seeds it at a scale, or returns the database of SEEDED_DATABASE_URL. Only a created database is dropped at the end. */
export async function createSeededDatabase(
  scale: number,
  say: (line: string) => void = () => undefined,
): Promise<{ url: string; drop: () => Promise<void> }> {
  if (givenUrl !== undefined) return { url: givenUrl, drop: () => Promise.resolve() };
  const database = await createTestDatabase();
  const secretsKeys = `seed:${randomBytes(32).toString('base64')}`;
  await seed({ url: database.url, scale, until: new Date(), secretsKeys, add: false, say });
  return database;
}
