import { generateKeyPairSync } from 'node:crypto';
import { recordDecision, recordDenial, sealAuditLog, verifyAuditLog } from '@millwright/audit';
import { encodeId, newId, readCount, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { changeAccount, eraseUser } from '../index.js';
import { makeUser } from '../test-accounts.js';
import { ERASED_USER_ID } from './erased-user.js';
import { ERASURE_STEPS } from './erasure-steps.js';
import { dump, leaveTraces, MARKER, openPool } from './test-person.js';

let database: TestDatabase;
let db: Database;
let operator: Awaited<ReturnType<typeof makeUser>>;
let ann: Awaited<ReturnType<typeof makeUser>>;
const EMAIL = `${MARKER}@example.com`;
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const seal = () => sealAuditLog(db, { kid: 'k', privateKey });
const verify = () => verifyAuditLog(db, () => Promise.resolve(publicKey));
const tracesOf = async (marker: string) =>
  (await dump(db)).filter((line) => line.toLowerCase().includes(marker.toLowerCase()));

beforeEach(async () => {
  database = await createTestDatabase();
  db = openPool(database.url);
  operator = await makeUser(db, 'root@example.com', { role: 'admin', platformAdmin: true });
  ann = await makeUser(db, EMAIL, { name: MARKER });
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

describe('eraseUser', () => {
  it('leaves no data of the person in any table, and the audit log verifies without faults', async () => {
    const kept = await leaveTraces(db, ann.id, EMAIL);
    const actor = { ...ann.actor, ip: MARKER, requestId: MARKER };
    await db.transaction((tx) => recordDecision(tx, { actor, action: 'a.b', resource: MARKER, detail: { x: MARKER } }));
    await recordDenial(db, { actor, action: 'session.create', resource: EMAIL }, MARKER);
    await db.transaction((tx) => changeAccount(tx, ann.id, { name: `New ${MARKER}` }, operator.actor, () => undefined));
    await seal();
    expect((await tracesOf(MARKER)).length).toBeGreaterThan(20);

    const erasure = await eraseUser(db, ann.id, operator.actor);

    expect(await tracesOf(MARKER)).toEqual([]);
    expect((await verify()).faults).toEqual([]);
    await seal();
    expect(await verify()).toMatchObject({ faults: [], erased: erasure.audit_rows });
    expect(erasure).toMatchObject({ id: encodeId('usr', ann.id), rows: { contexts: 1, user_api_keys: 3, files: 1 } });
    expect(await db.prisma.user.findUnique({ where: { id: ann.id } })).toMatchObject({
      ...{ email: `${ann.id}@erased.invalid`, name: 'Erased user', status: 'inactive' },
      deleted_at: expect.any(Date) as Date,
    });
    expect(await db.prisma.skill.findUnique({ where: { id: kept.skill } })).toMatchObject({
      created_by: ERASED_USER_ID,
    });
    expect(await db.prisma.prompt.findUnique({ where: { id: kept.prompt } })).toMatchObject({
      author: 'Erased user',
      created_by: ERASED_USER_ID,
    });
    expect(await readCount(db, { project: 'Core', kind: 'conversations' })).toBe(0);
    const newest = await db.prisma.governanceDecision.findFirstOrThrow({ orderBy: { seq: 'desc' } });
    expect(newest).toMatchObject({ action: 'user.erase', user_id: operator.id, resource: encodeId('usr', ann.id) });
  });

  it("deletes the person's conversations; messages that forks of other people share are kept without their author", async () => {
    const texts = { title: 't', description: '', tags: [], log_message: '', author: MARKER, project: 'Core' };
    const ids = [newId(), newId(), newId()];
    for (const [index, user_id] of [ann.id, ann.id, operator.id].entries()) {
      const parent = index === 0 ? {} : { parent_id: ids[index - 1], parent_until: 1, tree_id: ids[0] };
      await db.prisma.conversation.create({
        data: { ...texts, ...parent, id: ids[index] ?? '', user_id, author: index === 2 ? 'root' : MARKER },
      });
    }
    await db.prisma.conversationMessage.create({
      data: {
        id: newId(),
        conversation_id: ids[0] ?? '',
        seq: 1,
        role: 'user',
        content: 'c',
        model: 'm',
        author: MARKER,
      },
    });
    await db.prisma.conversationMessage.create({
      data: {
        id: newId(),
        conversation_id: ids[1] ?? '',
        seq: 2,
        role: 'user',
        content: MARKER,
        model: 'm',
        author: MARKER,
      },
    });
    await eraseUser(db, ann.id, operator.actor);
    expect(await tracesOf(MARKER)).toEqual([]);
    expect(await db.prisma.conversation.findMany({ where: { deleted_at: null } })).toMatchObject([{ id: ids[2] }]);
    expect(await db.prisma.conversation.findMany({ where: { deleted_at: { not: null } } })).toMatchObject([
      { user_id: ERASED_USER_ID },
      { user_id: ERASED_USER_ID },
    ]);
    expect(await db.prisma.conversationMessage.findMany()).toMatchObject([{ conversation_id: ids[0], content: 'c' }]);
  });

  it('assigns the usage of all erased persons to one account', async () => {
    const bea = await makeUser(db, 'bea@example.com');
    for (const [index, { id }] of [ann, bea].entries()) {
      await db.prisma.usageDay.create({
        data: {
          ...{ user_id: id, project: 'Core', kind: 'agent_message', model: 'm', day: new Date('2026-01-01') },
          ...{ events: 1, prompt_tokens: 10, completion_tokens: 1, cost_usd: index === 0 ? null : '0.5' },
        },
      });
      await eraseUser(db, id, operator.actor);
    }
    expect(await db.prisma.usageDay.findMany()).toMatchObject([
      { user_id: ERASED_USER_ID, events: 2, prompt_tokens: 20n, cost_usd: null, unpriced_events: 1 },
    ]);
    expect((await db.prisma.usageDay.findFirstOrThrow()).known_cost_usd?.toString()).toBe('0.5');
  });

  it("continues when it is called again after an interruption, and also erases the person's former names from the audit log", async () => {
    await db.transaction((tx) => changeAccount(tx, ann.id, { name: 'Another' }, operator.actor, () => undefined));
    await db.transaction((tx) =>
      recordDecision(tx, { actor: operator.actor, action: 'a.b', resource: 'x', detail: { for: MARKER } }),
    );
    const broken: Database = {
      ...db,
      transaction: (work) =>
        db.transaction(async (tx) => {
          const result = await work(tx);
          const [row] = await tx.$queryRaw<{ found: boolean }[]>`
            SELECT EXISTS (SELECT FROM governance_decisions WHERE action = 'audit.erase') AS found`;
          if (row?.found) throw new Error('the connection was lost');
          return result;
        }),
    };
    await expect(eraseUser(broken, ann.id, operator.actor)).rejects.toThrow('lost');
    expect(await tracesOf(MARKER)).not.toEqual([]);
    await eraseUser(db, ann.id, operator.actor);
    expect(await tracesOf(MARKER)).toEqual([]);
    const again = await eraseUser(db, ann.id, operator.actor);
    expect(again).toMatchObject({ rows: {}, audit_rows: 0 });
  });

  it.each([['100,000 usage events and 20,000 conversations', 100_000, 20_000]])(
    'erases %s in steps; no statement exceeds its time limit',
    async (_case, events, contexts) => {
      for (let made = 0; made < events; made += 10_000) {
        await database.sql`
        INSERT INTO usage_events (id, project, user_id, kind, subject_id, model, prompt_tokens, completion_tokens)
        SELECT gen_random_uuid(), 'Core', ${ann.id}::uuid, 'agent_message', gen_random_uuid(), 'm', 1, 1
          FROM generate_series(1, 10000)`;
      }
      for (let made = 0; made < contexts; made += 5_000) {
        await database.sql`
        INSERT INTO contexts (id, project, user_id)
        SELECT gen_random_uuid(), 'Core', ${ann.id}::uuid FROM generate_series(1, 5000)`;
      }
      const { rows } = await eraseUser(db, ann.id, operator.actor);
      expect(rows).toMatchObject({ usage_events: events, contexts });
      expect(await db.prisma.usageEvent.count({ where: { user_id: ERASED_USER_ID } })).toBe(events);
    },
  );

  it('erases a conversation and a context that have more messages than one statement can delete within its time limit', async () => {
    const id = newId();
    const texts = { title: 't', description: '', tags: [], log_message: '', author: MARKER };
    await db.prisma.conversation.create({ data: { ...texts, id, project: 'Core', user_id: ann.id } });
    await db.prisma.context.create({ data: { id, project: 'Core', user_id: ann.id } });
    await database.sql`
      INSERT INTO conversation_messages (id, conversation_id, seq, role, content, model, author)
      SELECT gen_random_uuid(), ${id}::uuid, n, 'user', 'x', 'm', ${MARKER} FROM generate_series(1, 5000) n`;
    await database.sql`
      INSERT INTO context_messages (id, context_id, seq, role, content)
      SELECT gen_random_uuid(), ${id}::uuid, n, 'user', 'x' FROM generate_series(1, 5000) n`;
    const { rows } = await eraseUser(db, ann.id, operator.actor);
    expect(rows).toMatchObject({ conversation_messages: 5_000, context_messages: 5_000, contexts: 1 });
    expect([await db.prisma.conversation.count(), await db.prisma.context.count()]).toEqual([0, 0]);
  });

  it.each([
    ['the own account of the actor', () => operator.id, 'another admin'],
    ['the account that stands for all erased users', () => ERASED_USER_ID, 'stands for'],
    ['the last active platform admin', () => operator.id, 'last active platform admin'],
  ])('refuses to erase %s', async (name, id, reason) => {
    const actor = name.startsWith('the last') ? ann.actor : operator.actor;
    await expect(eraseUser(db, id(), actor)).rejects.toMatchObject({
      code: 'conflict',
      fields: [{ reason: expect.stringContaining(reason) as string }],
    });
  });
});

describe('the steps of an erasure', () => {
  it('state what happens to each column that refers to a user', async () => {
    const columns = await db.prisma.$queryRaw<{ name: string }[]>`
      SELECT c.conrelid::regclass || '.' || a.attname AS name FROM pg_constraint c
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
       WHERE c.contype = 'f' AND c.confrelid = 'users'::regclass AND c.conparentid = 0
      UNION
      SELECT table_name || '.' || column_name FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type = 'uuid'
         AND column_name IN ('user_id', 'created_by', 'moved_by', 'owner_id', 'updated_by', 'approved_by')`;
    const decided = new Set(
      ERASURE_STEPS.flatMap(({ table, columns: names }) => names.map((name) => `${table}.${name}`)),
    );
    const kept = ['governance_decisions.user_id']; // audit rows keep their reference to the account's row, from which the person is removed
    const names = columns.map(({ name }) => name);
    expect(names.filter((name) => !decided.has(name) && !kept.includes(name))).toEqual([]);
    expect([...decided].filter((name) => !names.includes(name))).toEqual([]);
  });

  it('delete a row only after they have changed or deleted all rows whose references prevent its deletion', async () => {
    const isDeletion = ({ statement }: (typeof ERASURE_STEPS)[number]) =>
      statement({ id: ann.id, email: EMAIL }, 1).sql.includes('DELETE FROM');
    const tables = ERASURE_STEPS.map(({ table }) => table);
    const deleted = ERASURE_STEPS.filter(isDeletion).map(({ table }) => table);
    const blocking = await db.prisma.$queryRaw<{ referring: string; referred: string }[]>`
      SELECT conrelid::regclass::text AS referring, confrelid::regclass::text AS referred FROM pg_constraint
       WHERE contype = 'f' AND confdeltype NOT IN ('c', 'n') AND confrelid::regclass::text = ANY(${deleted})`;
    const late = blocking.filter(({ referring, referred }) => {
      const place = tables.indexOf(referring);
      return place < 0 || place > tables.lastIndexOf(referred);
    });
    expect(late).toEqual([]);
  });
});
