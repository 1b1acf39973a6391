import pg from 'pg';
import { createEmptyDatabase, createTestDatabase } from './index.js';

async function tablesOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ count: number }>(
    "SELECT count(*)::int FROM information_schema.tables WHERE table_schema = 'public'",
  );
  await client.end();
  return rows[0]?.count ?? 0;
}

describe('createTestDatabase', () => {
  it('has every migration applied, also when many are made at once', async () => {
    const databases = await Promise.all(Array.from({ length: 8 }, createTestDatabase));
    expect(new Set(databases.map(({ url }) => url)).size).toBe(8);
    for (const { url, drop } of databases) {
      expect(await tablesOf(url)).toBeGreaterThan(1);
      await drop();
    }
  });

  it('is dropped while someone is connected, and dropping again is harmless', async () => {
    const { url, drop } = await createTestDatabase();
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    await drop();
    await drop();
    await expect(tablesOf(url)).rejects.toThrow('does not exist');
  });
});

describe('createEmptyDatabase', () => {
  it('has no table', async () => {
    const { url, drop } = await createEmptyDatabase();
    expect(await tablesOf(url)).toBe(0);
    await drop();
  });
});
