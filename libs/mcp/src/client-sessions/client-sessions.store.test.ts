import { createUser } from '@millwright/accounts';
import { createDatabase, decodeId, newId, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { createClientSessionStore } from './client-sessions.store.js';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 4 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

async function newUser(email: string): Promise<string> {
  const user = { email, name: 'Ann', role: 'user', platformAdmin: false, project: 'Core' } as const;
  return decodeId('usr', (await db.transaction((tx) => createUser(tx, user))).id) ?? '';
}

it('opening a session deletes a limited number of expired sessions', async () => {
  const [userId, gone] = [await newUser('ann@example.com'), await newUser('bob@example.com')];
  const server = { id: newId(), url: 'https://mcp.example.com' };
  await db.prisma.mcpServer.create({
    data: { ...server, project: 'Core', name: 'Notes', slug: 'notes', created_by: userId },
  });
  await database.sql`
    INSERT INTO mcp_sessions (id_hash, server_id, user_id, url, used_at)
    SELECT decode(lpad(to_hex(n), 64, '0'), 'hex'), ${server.id}::uuid, ${gone}::uuid, ${server.url}, now() - interval '90 days'
      FROM generate_series(1, 150) n`;
  const open = () => createClientSessionStore(db).open({ userId, server }, null);
  await open();
  expect(await db.prisma.mcpSession.count()).toBe(51);
  await open();
  expect(await db.prisma.mcpSession.count()).toBe(2);
});
