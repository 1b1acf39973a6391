import { createUser } from '@millwright/accounts';
import { asRole, createDatabase, decodeId, newId, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { forgetAgents } from './forget-agents.js';

let database: TestDatabase;
let db: Database;
let owner: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 4 });
  const user = { email: 'ann@example.com', name: 'Ann', role: 'user', platformAdmin: false, project: 'Core' } as const;
  owner = decodeId('usr', (await db.transaction((tx) => createUser(tx, user))).id) ?? '';
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const CONTEXTS = 4_500;

/** Creates conversations of an agent, each with one message. */
async function makeContexts(agentId: string | null, count: number): Promise<void> {
  await database.sql`
    WITH made AS (
      INSERT INTO contexts (id, project, agent_id, user_id)
      SELECT gen_random_uuid(), 'Core', ${agentId}::uuid, ${owner}::uuid FROM generate_series(1, ${count}::int) RETURNING id)
    INSERT INTO context_messages (id, context_id, seq, role, content) SELECT gen_random_uuid(), id, 1, 'user', 'x' FROM made`;
}
const keptInMind = async () =>
  (await db.prisma.$queryRaw<{ id: string }[]>`SELECT id FROM deleted_agents`).map(({ id }) => id);

describe('forgetAgents', () => {
  it('deletes only the conversations of deleted agents, in steps', async () => {
    const [deleted, other] = [newId(), newId()];
    await makeContexts(deleted, CONTEXTS);
    await makeContexts(other, 1);
    await makeContexts(null, 1);
    await db.prisma.$executeRaw`INSERT INTO deleted_agents (id) VALUES (${deleted}::uuid)`;
    let steps = 0;
    const forget = () =>
      forgetAgents((work) => {
        steps += 1;
        return db.transaction(work);
      });
    expect(await forget()).toEqual({ contexts: CONTEXTS });
    expect(steps).toBeGreaterThan(3);
    expect([await db.prisma.context.count(), await db.prisma.contextMessage.count()]).toEqual([2, 2]);
    expect(await keptInMind()).toEqual([deleted]);

    await makeContexts(deleted, 1); // a conversation that a concurrent message started
    await db.prisma.$executeRaw`UPDATE deleted_agents SET at = now() - interval '61 minutes'`;
    expect(await forget()).toEqual({ contexts: 1 });
    expect(await keptInMind()).toEqual([]);
  });

  it('keeps the conversation of a draft until the conversation expires', async () => {
    const draft = newId();
    await makeContexts(draft, 1);
    await db.prisma.$executeRaw`INSERT INTO deleted_agents (id, at) VALUES (${draft}::uuid, now() + interval '1 day')`;
    const forget = () => forgetAgents((work) => db.transaction(work));
    expect([await forget(), await keptInMind()]).toEqual([{ contexts: 0 }, [draft]]);
    await db.prisma.$executeRaw`UPDATE deleted_agents SET at = now() - interval '61 minutes'`;
    expect([await forget(), await keptInMind()]).toEqual([{ contexts: 1 }, []]);
  });

  it('keeps a conversation until an hour after the end of a run that uses a version of the deleted agent', async () => {
    const [agent, finishing, other] = [newId(), newId(), newId()];
    for (const id of [finishing, other])
      await db.prisma.context.create({ data: { id, project: 'Core', agent_id: agent, user_id: owner } });
    const run = {
      ...{ project: 'Core', user_id: owner, subject_kind: 'agent', subject_id: agent, subject_name: 'gone' },
      ...{ subject_version: 1, channel: 'messages', caller: {} },
    };
    const [waits, above] = [newId(), newId()];
    const begun = { state: 'waiting', waiting_for: 'approval', attempt: 1, started_at: new Date() };
    await db.prisma.run.create({ data: { ...run, id: above, ...begun, waiting_for: 'child' } });
    await db.prisma.run.create({ data: { ...run, id: waits, ...begun, context_id: finishing, parent_id: above } });
    await db.prisma
      .$executeRaw`INSERT INTO deleted_agents (id, at) VALUES (${agent}::uuid, now() - interval '2 hours')`;
    await db.prisma.$executeRaw`
      INSERT INTO deleted_agent_versions (agent_id, version, project, slug, at, agent, guard_policies)
      VALUES (${agent}::uuid, 1, 'Core', 'gone', now(), '{}', '[]')`;
    const area = createDatabase({ url: asRole(database.url, 'admin-auth'), poolMax: 2 });
    const forget = () => forgetAgents((work) => area.transaction(work));
    const left = async () => [
      (await db.prisma.context.findMany({ where: { agent_id: agent } })).map(({ id }) => id),
      await db.prisma.run.count({ where: { id: waits } }),
      await db.prisma.deletedAgentVersion.count(),
    ];
    const end = (id: string, minutes: number) =>
      db.prisma.$executeRaw`
        UPDATE runs SET state = 'completed', waiting_for = NULL, ended_at = now() - make_interval(mins => ${minutes}::int)
         WHERE id = ${id}::uuid`;

    expect([await forget(), await left()]).toEqual([{ contexts: 1 }, [[finishing], 1, 1]]);
    // The run ended less than an hour ago, so clients may still follow it.
    await end(above, 59);
    await end(waits, 59);
    expect([await forget(), await left()]).toEqual([{ contexts: 0 }, [[finishing], 1, 1]]);
    // The parent run has not read the answer of the child run.
    await end(waits, 61);
    await db.prisma.run.update({ where: { id: above }, data: { ...begun, ended_at: null } });
    expect([await forget(), await left()]).toEqual([{ contexts: 0 }, [[finishing], 1, 1]]);
    await end(above, 0);
    expect([await forget(), await left()]).toEqual([{ contexts: 1 }, [[], 0, 0]]);
    expect(await keptInMind()).toEqual([]);
    await area.close();
  });

  it('deletes a long conversation in steps, each within the statement timeout, with the database role of the service', async () => {
    const [nobody, context] = [newId(), newId()];
    await db.prisma.$executeRaw`
      INSERT INTO contexts (id, project, agent_id, user_id) VALUES (${context}::uuid, 'Core', ${nobody}::uuid, ${owner}::uuid)`;
    for (let first = 0; first < 50_000; first += 5_000) {
      await database.sql`
        INSERT INTO context_messages (id, context_id, seq, role, content)
        SELECT gen_random_uuid(), ${context}::uuid, n, 'user', 'x' FROM generate_series(${first + 1}::int, ${first + 5_000}::int) n`;
    }
    await db.prisma.$executeRaw`
      INSERT INTO tasks (id, project, user_id, agent, context_id, state, message, lease_until)
      VALUES (gen_random_uuid(), 'Core', ${owner}::uuid, 'gone', ${context}::uuid, 'completed', '{}', now())`;
    await db.prisma.$executeRaw`INSERT INTO deleted_agents (id) VALUES (${nobody}::uuid)`;
    const area = createDatabase({ url: asRole(database.url, 'admin-auth'), poolMax: 2 });
    let steps = 0;
    const forgotten = await forgetAgents((work) => {
      steps += 1;
      return area.transaction(work);
    });
    await area.close();
    expect([forgotten, steps > 25]).toEqual([{ contexts: 1 }, true]);
    expect([
      await db.prisma.contextMessage.count({ where: { context_id: context } }),
      await db.prisma.task.count({ where: { context_id: context } }),
    ]).toEqual([0, 0]);
  });
});
