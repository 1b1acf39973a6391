import { createUser } from '@millwright/accounts';
import { asRole, createDatabase, decodeId, newId, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { forgetPrompts, forgetTriggers, forgetWebhooks } from './forget-deleted.js';

let database: TestDatabase;
let db: Database;
let created_by: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 4 });
  const user = { email: 'ann@example.com', name: 'Ann', role: 'user', platformAdmin: false, project: 'Core' } as const;
  created_by = decodeId('usr', (await db.transaction((tx) => createUser(tx, user))).id) ?? '';
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

async function makeWebhook(name: string, deleted_at: Date | null): Promise<string> {
  const id = newId();
  const data = { id, project: 'Core', name, url: 'https://hooks.example', secret: 's', created_by, deleted_at };
  await db.prisma.webhook.create({ data });
  return id;
}

describe('forgetWebhooks', () => {
  it("removes only webhooks that are marked as deleted, with their deliveries, in steps, with the service's database role", async () => {
    const [gone, kept] = [await makeWebhook('gone', new Date()), await makeWebhook('kept', null)];
    for (let made = 0; made < 4_500; made += 500)
      await database.sql`
      WITH made AS (
        INSERT INTO events (id, project, type, subject, data)
        SELECT gen_random_uuid(), 'Core', 'run.failed', 'run_1', '{}' FROM generate_series(1, 500) RETURNING id, seq)
      INSERT INTO event_deliveries (id, webhook_id, event_id, subject, seq, retry_until)
      SELECT gen_random_uuid(), w.id, made.id, 'run_1', made.seq, now() FROM made, unnest(${[gone, kept]}::uuid[]) w (id)`;
    const area = createDatabase({ url: asRole(database.url, 'admin-auth'), poolMax: 2 });
    let steps = 0;
    const forgotten = await forgetWebhooks((work) => {
      steps += 1;
      return area.transaction(work);
    });
    await area.close();
    expect([forgotten, steps]).toEqual([{ webhooks: 1 }, 4]);
    expect((await db.prisma.webhook.findMany()).map(({ id }) => id)).toEqual([kept]);
    expect(await db.prisma.eventDelivery.count()).toBe(4_500);
  });

  it('keeps a webhook until the next run of the job when a delivery is added during this run', async () => {
    const gone = await makeWebhook('late', new Date());
    let steps = 0;
    const addDelivery = () => db.prisma.$executeRaw`
      WITH made AS (
        INSERT INTO events (id, project, type, subject, data) VALUES (gen_random_uuid(), 'Core', 'run.failed', 'run_2', '{}') RETURNING id, seq)
      INSERT INTO event_deliveries (id, webhook_id, event_id, subject, seq, retry_until)
      SELECT gen_random_uuid(), ${gone}::uuid, made.id, 'run_2', made.seq, now() FROM made`;
    const forgotten = await forgetWebhooks(async (work) => {
      steps += 1;
      if (steps === 2) await addDelivery();
      return db.transaction(work);
    });
    expect(forgotten).toEqual({ webhooks: 0 });
    expect(await db.prisma.eventDelivery.count({ where: { webhook_id: gone } })).toBe(1);
    expect(await forgetWebhooks((work) => db.transaction(work))).toEqual({ webhooks: 1 });
  });
});

describe('forgetTriggers', () => {
  it("removes only triggers that are marked as deleted, with their firings, in steps, with the service's database role", async () => {
    const [gone, kept] = [newId(), newId()];
    const texts = { kind: 'cron', agent: 'a', input: 'x', overlap: 'skip', schedule: '0 9 * * *', timezone: 'UTC' };
    const base = { ...texts, project: 'Core', rights: {}, owner_id: created_by, created_by };
    await db.prisma.trigger.create({ data: { ...base, id: gone, name: 'gone', deleted_at: new Date() } });
    await db.prisma.trigger.create({ data: { ...base, id: kept, name: 'kept' } });
    await database.sql`
      INSERT INTO trigger_firings (id, trigger_id, project, number, source, key, at, input)
      SELECT gen_random_uuid(), t.id, 'Core', n, 'test', n::text, now(), 'x'
        FROM generate_series(1, 4500) n, unnest(${[gone, kept]}::uuid[]) t (id)`;
    const area = createDatabase({ url: asRole(database.url, 'admin-auth'), poolMax: 2 });
    const forgotten = await forgetTriggers((work) => area.transaction(work));
    await area.close();
    expect(forgotten).toEqual({ triggers: 1 });
    expect((await db.prisma.trigger.findMany()).map(({ id }) => id)).toEqual([kept]);
    expect(await db.prisma.triggerFiring.count()).toBe(4_500);
  });
});

describe('forgetPrompts', () => {
  it("removes only prompts that are marked as deleted, with their versions, in steps, with the service's database role", async () => {
    const [gone, kept] = [newId(), newId()];
    const texts = { title: 't', description: '', author: 'Ann', project: 'Core', created_by };
    await db.prisma.prompt.create({ data: { ...texts, id: gone, deleted_at: new Date() } });
    await db.prisma.prompt.create({ data: { ...texts, id: kept } });
    for (let made = 0; made < 4_500; made += 500)
      await database.sql`
        INSERT INTO prompt_versions (prompt_id, version, instruction, input, output, metadata, status, author, created_by)
        SELECT p.id, ${made}::int + n, '{}', '{}', '{}', '{}', 'draft', 'Ann', ${created_by}::uuid
          FROM generate_series(1, 500) n, unnest(${[gone, kept]}::uuid[]) p (id)`;
    const area = createDatabase({ url: asRole(database.url, 'admin-auth'), poolMax: 2 });
    const forgotten = await forgetPrompts((work) => area.transaction(work));
    await area.close();
    expect(forgotten).toEqual({ prompts: 1 });
    expect((await db.prisma.prompt.findMany()).map(({ id }) => id)).toEqual([kept]);
    expect(await db.prisma.promptVersion.count()).toBe(4_500);
  });
});
