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
  it('applies every migration, also to many databases concurrently', async () => {
    const databases = await Promise.all(Array.from({ length: 8 }, createTestDatabase));
    expect(new Set(databases.map(({ url }) => url)).size).toBe(8);
    for (const { url, drop } of databases) {
      expect(await tablesOf(url)).toBeGreaterThan(1);
      await drop();
    }
  });

  it('drops a database with open connections, and allows a second drop', async () => {
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
  it('creates a database without tables', async () => {
    const { url, drop } = await createEmptyDatabase();
    expect(await tablesOf(url)).toBe(0);
    await drop();
  });
});
