import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { createDatabase, forgetConversations, newId, type Database, type Tx } from './index.js';
import {
  noteQuotaRefusal,
  quotaRefusal,
  readQuotaDrift,
  readQuotas,
  recountQuotas,
  setQuota,
  type QuotaKind,
} from './quotas/index.js';

let database: TestDatabase;
let db: Database;
let user: string;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 4 });
  user = newId();
  await db.transaction((tx) =>
    tx.user.create({ data: { id: user, email: 'ann@example.com', name: 'Ann', webauthn_user_id: new Uint8Array(32) } }),
  );
  // Deletions by cascades are counted as well: the former release deletes conversations and prompts in this way.
  for (const [table, reference] of Object.entries({
    conversation_messages: 'conversation',
    responses: 'conversation',
    prompt_versions: 'prompt',
  }))
    await db.prisma.$executeRawUnsafe(`DROP TRIGGER refuse_cascade_${reference}_id ON ${table}`);
  await db.prisma.$executeRaw`DROP TRIGGER refuse_cascade_context_id ON context_messages`;
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(async () => {
  for (const table of ['content_items', 'files', 'artifacts', 'prompts', 'conversations', 'contexts'])
    await db.prisma.$executeRawUnsafe(`DELETE FROM ${table}`);
});

const limit = (kind: QuotaKind, rows: number, bytes: number, project?: string) =>
  db.transaction((tx) => setQuota(tx, kind, { rows, bytes }, project));

async function used(kind: QuotaKind, project = 'Core') {
  const states = await readQuotas(db, [project]);
  return states.find((state) => state.kind === kind)?.used;
}

const addContent = (tx: Tx, body: string, project = 'Core') => {
  const id = newId();
  return tx.contentItem.create({ data: { id, project, title: 'ab', body, tags: [], slug: id, created_by: user } });
};

const addFile = (tx: Tx, size: number) =>
  tx.file.create({
    data: {
      id: newId(),
      project: 'Core',
      path: 'x',
      size,
      content_type: 'x',
      sha256: new Uint8Array(32),
      created_by: user,
    },
  });

const addContext = (tx: Tx, contents: readonly string[]) =>
  tx.context.create({
    data: {
      id: newId(),
      project: 'Core',
      user_id: user,
      messages: { create: contents.map((content, seq) => ({ id: newId(), seq, role: 'user', content })) },
    },
  });

const described = { title: 'ab', description: 'cd', tags: [], log_message: '', author: 'Ann' };

const addConversation = (tx: Tx, contents: readonly string[]) =>
  tx.conversation.create({
    data: {
      ...described,
      id: newId(),
      project: 'Core',
      user_id: user,
      messages: {
        create: contents.map((content, n) => ({
          id: newId(),
          seq: n + 1,
          role: 'user',
          content,
          model: '',
          author: 'Ann',
        })),
      },
      responses: { create: [{ id: newId(), project: 'Core', seq: 1, body: { text: 'x' } }] },
    },
  });

const addPrompt = (tx: Tx, versions: number) =>
  tx.prompt.create({
    data: {
      id: newId(),
      project: 'Core',
      title: 'ab',
      description: '',
      tags: [],
      author: 'Ann',
      created_by: user,
      versions: {
        create: Array.from({ length: versions }, (_, n) => ({
          version: n + 1,
          instruction: { static: 'x'.repeat(100) },
          input: {},
          output: {},
          metadata: {},
          status: 'draft',
          author: 'Ann',
          created_by: user,
        })),
      },
    },
  });

const addArtifact = (tx: Tx, content: string) =>
  tx.artifact.create({ data: { ...described, id: newId(), project: 'Core', content, created_by: user } });

describe('the usage of a project', () => {
  it('increases and decreases by the rows and bytes of content that is created, changed or deleted', async () => {
    const { id } = await db.transaction((tx) => addContent(tx, 'héllo'));
    expect(await used('content')).toEqual({ rows: 1, bytes: 2 + 6 + 2 });
    await db.transaction((tx) => tx.contentItem.update({ where: { id }, data: { body: 'x'.repeat(50_000) } }));
    expect(await used('content')).toEqual({ rows: 1, bytes: 2 + 50_000 + 2 });
    expect(await used('content', 'Commerce')).toEqual({ rows: 0, bytes: 0 });
    await db.transaction((tx) => tx.contentItem.delete({ where: { id } }));
    expect(await used('content')).toEqual({ rows: 0, bytes: 0 });
  });

  it('does not change when a transaction is rolled back', async () => {
    const failed = db.transaction(async (tx) => {
      await addContent(tx, 'x');
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await used('content')).toEqual({ rows: 0, bytes: 0 });
  });

  it('no longer includes messages, versions and responses of deleted records', async () => {
    await db.transaction((tx) => addContext(tx, ['one', 'two']));
    await db.transaction((tx) => addConversation(tx, ['one', 'two']));
    await db.transaction((tx) => addPrompt(tx, 3));
    expect([await used('contexts'), (await used('conversations'))?.rows, (await used('prompts'))?.rows]).toEqual([
      { rows: 3, bytes: 6 },
      4,
      4,
    ]);
    await db.transaction((tx) => tx.context.deleteMany());
    await db.transaction((tx) => tx.conversation.deleteMany());
    await db.transaction((tx) => tx.prompt.deleteMany());
    const nothing = { rows: 0, bytes: 0 };
    expect([await used('contexts'), await used('conversations'), await used('prompts')]).toEqual([
      nothing,
      nothing,
      nothing,
    ]);
  });

  it('agrees with the records after each step in which a job deletes a conversation, until nothing is left', async () => {
    const { id } = await db.transaction((tx) => addConversation(tx, ['one', 'two', 'three']));
    await db.prisma.$executeRaw`UPDATE conversations SET deleted_at = now() WHERE id = ${id}::uuid`;
    const rows: unknown[] = [];
    const drifts: unknown[] = [];
    await forgetConversations(async (work) => {
      const result = await db.transaction(work);
      rows.push((await used('conversations'))?.rows);
      drifts.push(...(await readQuotaDrift(database.url)));
      return result;
    });
    expect(drifts).toEqual([]);
    expect([...new Set(rows)]).toEqual([5, 4, 1, 0]);
    expect(await used('conversations')).toEqual({ rows: 0, bytes: 0 });
  });

  it('still includes the messages that a fork shares with its deleted parent', async () => {
    const parent = await db.transaction((tx) => addConversation(tx, ['one', 'two']));
    await db.transaction((tx) =>
      tx.conversation.create({
        data: {
          ...described,
          id: newId(),
          project: 'Core',
          user_id: user,
          parent_id: parent.id,
          parent_until: 1,
          tree_id: parent.id,
        },
      }),
    );
    await limit('conversations', 5, 1_000_000, 'Core'); // the quota is used up, and even then a deletion must not be refused
    await db.transaction((tx) => tx.conversation.delete({ where: { id: parent.id } }));
    expect(await used('conversations')).toMatchObject({ rows: 2 });
    expect(await readQuotaDrift(database.url)).toEqual([]);
    await db.transaction((tx) => tx.conversation.deleteMany());
    expect(await used('conversations')).toEqual({ rows: 0, bytes: 0 });
    await limit('conversations', 1_000, 1_000_000, 'Core');
  });

  it("equals the rows and bytes of the project's records after any sequence of writes", async () => {
    await db.transaction(async (tx) => {
      await addContent(tx, 'x'.repeat(5_000));
      await addContent(tx, '', 'Commerce');
      await addFile(tx, 7);
      await addContext(tx, ['ä', '']);
      await addConversation(tx, ['ä', '']);
      await addPrompt(tx, 2);
      await addArtifact(tx, 'x');
      await tx.block.create({
        data: { ...described, id: newId(), project: 'Core', prefix: 'p', content: 'y', created_by: user },
      });
      await tx.conversation.updateMany({ data: { title: 'longer', tags: ['a'] } });
      await tx.artifact.updateMany({ data: { content: 'longer' } });
      await tx.block.updateMany({ data: { log_message: 'longer' } });
    });
    expect(await readQuotaDrift(database.url)).toEqual([]);
    await db.prisma.$executeRaw`DELETE FROM blocks`;
    expect(await readQuotaDrift(database.url)).toEqual([]);
  });

  it('is recounted from the records, and is still correct after the records are deleted', async () => {
    await db.transaction(async (tx) => {
      await addContext(tx, ['one']);
      await addConversation(tx, ['one']);
      await addPrompt(tx, 2);
      await addFile(tx, 9);
    });
    await db.prisma.$executeRaw`DELETE FROM quota_usage`; // simulates records that were stored before the triggers existed
    for (const table of ['contexts', 'conversations', 'prompts'])
      await db.prisma.$executeRawUnsafe(`UPDATE ${table} SET held_rows = 0, held_bytes = 0`);
    const corrected = await recountQuotas(database.url);
    expect(corrected.map(({ kind, rows }) => [kind, rows])).toEqual([
      ['contexts', 2],
      ['conversations', 3],
      ['files', 1],
      ['prompts', 3],
    ]);
    await db.transaction(async (tx) => {
      await tx.context.deleteMany();
      await tx.conversation.deleteMany();
      await tx.prompt.deleteMany();
    });
    expect(await readQuotaDrift(database.url)).toEqual([]);
    expect(await recountQuotas(database.url)).toEqual([]);
  });
});

describe('a limit', () => {
  const refused = (work: (tx: Tx) => Promise<unknown>) =>
    db.transaction(work).then(
      () => 'done',
      (error: unknown) => error,
    );

  it('refuses a record beyond the limit, and accepts a record after a deletion', async () => {
    await limit('content', 2, 1_000);
    const { id } = await db.transaction((tx) => addContent(tx, 'x'));
    await db.transaction((tx) => addContent(tx, 'x'));
    const error = await refused((tx) => addContent(tx, 'x'));
    expect(error).toMatchObject({
      code: 'quota_exceeded',
      status: 403,
      fields: [
        { field: 'content', reason: expect.stringContaining('may have 2 records and has 2 records;') as string },
      ],
    });
    expect(quotaRefusal(error)).toEqual({
      project: 'Core',
      kind: 'content',
      measure: 'rows',
      limit: 2,
      used: 2,
      more: 1,
    });
    await db.transaction((tx) => tx.contentItem.delete({ where: { id } }));
    expect(await refused((tx) => addContent(tx, 'x'))).toBe('done');
  });

  it('refuses a change with 413 when it needs more than the remaining bytes, and with 403 when no bytes remain', async () => {
    await limit('content', 10, 24);
    await db.transaction((tx) => addContent(tx, 'x'.repeat(10)));
    expect(await refused((tx) => addContent(tx, 'x'.repeat(10)))).toMatchObject({
      code: 'quota_too_small',
      status: 413,
    });
    expect(await refused((tx) => addContent(tx, 'x'.repeat(6)))).toBe('done');
    expect(await refused((tx) => addContent(tx, ''))).toMatchObject({ code: 'quota_exceeded', status: 403 });
  });

  it('refuses a change that adds bytes and accepts a change that adds none', async () => {
    await limit('content', 10, 20);
    const { id } = await db.transaction((tx) => addContent(tx, 'x'.repeat(16)));
    const change = (body: string) => refused((tx) => tx.contentItem.update({ where: { id }, data: { body } }));
    expect(await change('x'.repeat(17))).toMatchObject({ code: 'quota_exceeded' });
    expect(await change('y'.repeat(16))).toBe('done');
    expect(await change('y')).toBe('done');
  });

  it('overrides the limit of all projects when it is set for one project, and only for that project', async () => {
    await limit('files', 100, 1_000);
    await limit('files', 1, 1_000, 'Core');
    await db.transaction((tx) => addFile(tx, 1));
    expect(await refused((tx) => addFile(tx, 1))).toMatchObject({ code: 'quota_exceeded' });
    const states = await readQuotas(db, ['Core', 'Commerce']);
    expect(states.filter(({ kind }) => kind === 'files').map(({ limit, own }) => [limit.rows, own])).toEqual([
      [1, true],
      [100, false],
    ]);
  });

  it('refuses only changes that increase the usage when the usage already exceeds the limit', async () => {
    await limit('prompts', 100, 10_000);
    await db.transaction((tx) => addPrompt(tx, 2));
    await limit('prompts', 1, 10);
    expect(await refused((tx) => addArtifact(tx, 'x'))).toMatchObject({ code: 'quota_exceeded' });
    expect(await refused((tx) => tx.prompt.updateMany({ data: { title: 'other' } }))).toBe('done');
    expect(await refused((tx) => tx.prompt.deleteMany())).toBe('done');
  });

  it('applies to messages added within one transaction', async () => {
    await limit('contexts', 3, 1_000);
    expect(await refused((tx) => addContext(tx, ['a', 'b', 'c']))).toMatchObject({ code: 'quota_exceeded' });
    expect(await used('contexts')).toEqual({ rows: 0, bytes: 0 });
    expect(await refused((tx) => addContext(tx, ['a', 'b']))).toBe('done');
  });

  it("applies to the sum of a transaction's small changes", async () => {
    await limit('files', 1_000_000, 1_000_000_000, 'Core');
    const { rows: most } = (
      await db.prisma.$queryRaw<{ rows: number }[]>`
      SELECT (1000000 / 10 / current_setting('max_connections')::int)::int AS rows`
    )[0] ?? { rows: 0 };
    const locks = await db.transaction(async (tx) => {
      const modes = async () => {
        const rows = await tx.$queryRaw<{ mode: string }[]>`
          SELECT mode FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid() ORDER BY mode`;
        return rows.map(({ mode }) => mode);
      };
      await addFile(tx, 1);
      const first = await modes();
      await tx.$executeRaw`
        INSERT INTO files (id, project, path, size, content_type, sha256, created_by)
        SELECT gen_random_uuid(), 'Core', 'x', 1, 'x', sha256(''), ${user}::uuid FROM generate_series(1, ${most})`;
      return [first, await modes()];
    });
    expect(locks).toEqual([['ShareLock'], ['ExclusiveLock', 'ShareLock']]);
  });
});

it('noteQuotaRefusal returns true for the first refusal of each hour, project and kind of record, and false for further ones', async () => {
  const note = (kind: QuotaKind) => db.transaction((tx) => noteQuotaRefusal(tx, { project: 'Core', kind }));
  expect([await note('files'), await note('files'), await note('content')]).toEqual([true, false, true]);
  await db.prisma.$executeRaw`UPDATE quota_refusals SET at = at - interval '1 hour'`;
  expect([await note('files'), await note('files')]).toEqual([true, false]);
});

/**
 * Roles that may delete parts of records. The job of admin-auth deletes long conversations in steps. The parts of a
 * context or prompt are subtracted from the usage together with their parent. The parts of a conversation are
 * subtracted one by one, because forks may keep the conversation. The prompt API deletes single items of conversations.
 */
const DELETED_ALONE = [
  { role: 'admin_auth', part: 'prompt_versions' },
  { role: 'admin_auth', part: 'conversation_messages' },
  { role: 'prompt_api', part: 'conversation_messages' },
  { role: 'admin_auth', part: 'context_messages' },
];

it('only admin-auth may delete messages and versions; the prompt API may also delete messages of conversations', async () => {
  const rows = await db.prisma.$queryRaw<unknown[]>`
    SELECT role, part FROM unnest(ARRAY['admin_auth', 'platform_api', 'prompt_api', 'runtime_api']) role,
           unnest(ARRAY['prompt_versions', 'conversation_messages', 'context_messages']) part
     WHERE has_table_privilege('millwright_' || role, part, 'DELETE')`;
  expect(rows).toEqual(DELETED_ALONE);
});
