import type { Actor } from '@millwright/audit';
import { encodeId, newId, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { createUser, disableUser, enableUser, changeAccount, issueApiKey, issueOAuthClient } from '../index.js';
import { openDatabase } from '../test-accounts.js';
import { CONTENTS } from './delete-project.js';
import { createProject, deleteProject, listProjects, MOST_PROJECTS, renameProject } from './projects.store.js';

let database: TestDatabase;
let db: Database;
let actor: Actor;

beforeEach(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  const user = {
    email: 'root@example.com',
    name: 'Root',
    role: 'admin',
    platformAdmin: true,
    project: 'Core',
  } as const;
  await db.transaction((tx) => createUser(tx, user));
  const { id } = await db.prisma.user.findUniqueOrThrow({ where: { email: user.email } });
  actor = { userId: id, kind: 'user', label: 'Root' };
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

const create = (name: string) => db.transaction((tx) => createProject(tx, name, actor));
const rename = (id: string, name: string) => db.transaction((tx) => renameProject(tx, id, name, actor));
const remove = (id: string) => db.transaction((tx) => deleteProject(tx, id, actor));
const newMember = (project: string, email = 'ann@example.com') =>
  db.transaction((tx) => createUser(tx, { email, name: 'Ann', role: 'user', platformAdmin: false, project }));
const idOf = async (email: string) => (await db.prisma.user.findUniqueOrThrow({ where: { email } })).id;
const decisions = () =>
  db.prisma.governanceDecision.findMany({
    where: { action: { startsWith: 'project.' } },
    orderBy: { seq: 'asc' },
    select: { action: true, resource: true, project: true, detail: true },
  });
const names = async () => (await listProjects(db.prisma)).map(({ id, name }) => `${id}: ${name}`);

describe('createProject', () => {
  it('creates a project with an id derived from its name, writes an audit row, and lists it after Core and Commerce', async () => {
    expect(await create('  Research  & Development ')).toEqual({
      id: 'research-development',
      name: 'Research & Development',
    });
    expect(await create('Atlas')).toEqual({ id: 'atlas', name: 'Atlas' });
    expect(await names()).toEqual([
      'Core: Core',
      'Commerce: Commerce',
      'atlas: Atlas',
      'research-development: Research & Development',
    ]);
    expect(await decisions()).toMatchObject([
      { action: 'project.create', resource: 'research-development', project: 'research-development' },
      { action: 'project.create', resource: 'atlas', project: 'atlas', detail: { name: 'Atlas' } },
    ]);
  });

  it.each([
    ['研究', 'project-2'],
    ['core!', 'core-2'],
    ['Überblick 24/7', 'uberblick-24-7'],
    ['x'.repeat(60), 'x'.repeat(36)],
    ['-- a --', 'a'],
    ['a \u00a0  b', 'a-b', 'a b'],
  ])('from the name %s, derives the id %s', async (name, id, shown = name) => {
    expect(await create(name)).toEqual({ id, name: shown });
  });

  it.each(['Core', 'COMMERCE', 'atlas ', 'ＡＴＬＡＳ', 'A t l a s'.replaceAll(' ', '')])(
    'refuses %j, because another project has this name in some letter case or width',
    async (name) => {
      await create('Atlas');
      await expect(create(name)).rejects.toMatchObject({ code: 'conflict', fields: [{ field: 'name' }] });
    },
  );

  it.each(['', ' ', 'x'.repeat(61), '\ufdfa'.repeat(10), 'a\nb', 'a\u202eb', 'a\u200bb'])(
    'refuses the name %j',
    async (name) => {
      await expect(create(name)).rejects.toMatchObject({ code: 'validation_error', fields: [{ field: 'name' }] });
    },
  );

  it('creates one project when two concurrent calls use the same name', async () => {
    const outcomes = await Promise.allSettled(['Atlas', 'ATLAS', 'atlas'].map(create));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await listProjects(db.prisma)).toHaveLength(3);
  });

  it('refuses more projects than an installation may have, also when several projects are created concurrently', async () => {
    const rows = Array.from({ length: MOST_PROJECTS - 4 }, (_, n) => ({ id: `p${n}`, name: `P ${n}` }));
    await db.prisma.project.createMany({ data: rows });
    const outcomes = await Promise.allSettled(['A', 'B', 'C', 'D', 'E'].map(create));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await listProjects(db.prisma)).toHaveLength(MOST_PROJECTS);
    await expect(create('One more')).rejects.toMatchObject({ code: 'conflict', fields: [{ field: 'projects' }] });
  });
});

describe('renameProject', () => {
  it('changes the name and keeps the id', async () => {
    await create('Atlas');
    expect(await rename('atlas', 'Maps')).toEqual({ id: 'atlas', name: 'Maps' });
    expect(await rename('atlas', 'Maps')).toEqual({ id: 'atlas', name: 'Maps' });
    expect(await create('Atlas')).toEqual({ id: 'atlas-2', name: 'Atlas' });
    expect((await decisions()).map(({ action, detail }) => [action, detail])).toEqual([
      ['project.create', { name: 'Atlas' }],
      ['project.rename', { name: { from: 'Atlas', to: 'Maps' } }],
      ['project.create', { name: 'Atlas' }],
    ]);
  });

  it('refuses to rename Core, Commerce or a project that does not exist, and refuses a name in use', async () => {
    await create('Atlas');
    await expect(rename('Core', 'Center')).rejects.toMatchObject({ code: 'conflict', fields: [{ field: 'project' }] });
    await expect(rename('nobody', 'Center')).rejects.toMatchObject({ code: 'not_found' });
    await expect(rename('atlas', 'core')).rejects.toMatchObject({ code: 'conflict', fields: [{ field: 'name' }] });
  });
});

describe('deleteProject', () => {
  it('deletes an empty project, revokes the credentials in it, and never uses its id again', async () => {
    await create('Atlas');
    const mine = { userId: actor.userId, name: 'x', scopes: ['*'], plan: 'standard', project: 'atlas' } as const;
    await db.transaction((tx) => issueApiKey(tx, mine, actor));
    await db.transaction((tx) => issueOAuthClient(tx, { ...mine, redirectUris: [] }, actor));
    await remove('atlas');
    expect(await names()).toEqual(['Core: Core', 'Commerce: Commerce']);
    expect(await db.prisma.userApiKey.count({ where: { revoked_at: null } })).toBe(0);
    expect(await db.prisma.oAuthClient.count({ where: { revoked_at: null } })).toBe(0);
    expect((await decisions()).at(-1)).toMatchObject({
      action: 'project.delete',
      detail: { name: 'Atlas', revoked: { keys: 1, oauth_clients: 1 } },
    });
    expect(await create('Atlas')).toEqual({ id: 'atlas-2', name: 'Atlas' });
    await expect(remove('atlas')).rejects.toMatchObject({ code: 'not_found' });
    await expect(newMember('atlas')).rejects.toMatchObject({
      code: 'validation_error',
      fields: [{ field: 'project' }],
    });
  });

  it('refuses a project that has a member or a record, and lists what the project still contains', async () => {
    await create('Atlas');
    await newMember('atlas');
    const skill = { project: 'atlas', name: 's', description: '', instructions: '', created_by: actor.userId };
    await db.prisma.skill.create({ data: { ...skill, id: newId() } });
    await expect(remove('atlas')).rejects.toMatchObject({
      code: 'conflict',
      fields: [{ field: 'project', reason: expect.stringMatching(/still has active members, skills;/) as string }],
    });
    await expect(remove('Commerce')).rejects.toMatchObject({ code: 'conflict' });
  });

  it('refuses a project that still has files', async () => {
    await create('Atlas');
    const file = { path: 'a', size: 1, content_type: 'text/plain', sha256: new Uint8Array(32) };
    const id = newId();
    await db.prisma.file.create({ data: { ...file, id, project: 'atlas', created_by: actor.userId } });
    await expect(remove('atlas')).rejects.toMatchObject({
      fields: [{ reason: expect.stringMatching(/still has files;/) as string }],
    });
    await db.prisma.file.delete({ where: { id } });
    await remove('atlas');
  });

  it('has a rule for each table with a project column: the rows of the table prevent the deletion, are revoked or are kept', async () => {
    const rows = await db.prisma.$queryRaw<{ table_name: string }[]>`
      SELECT table_name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name = 'project' AND is_generated = 'NEVER'`;
    const decided = [...Object.keys(CONTENTS), ...KEPT, ...REVOKED];
    expect(rows.map(({ table_name }) => table_name).sort()).toEqual(decided.sort());
  });

  it('succeeds only if a concurrent creation of an account in the project fails', async () => {
    await create('Atlas');
    const outcomes = await Promise.allSettled([newMember('atlas'), remove('atlas')]);
    const [made, deleted] = outcomes.map(({ status }) => status === 'fulfilled');
    expect(made).not.toBe(deleted);
    expect(await db.prisma.user.count({ where: { project: 'atlas' } })).toBe(made ? 1 : 0);
  });
});

/**
 * Rows that stay when their project is deleted: logs, sums, settings, parts of records, and records of users' actions. Retention deletes
 * them later.
 */
const KEPT = [
  ...['governance_decisions', 'metric_counts', 'metric_hours', 'record_counts', 'usage_days', 'usage_events'],
  ...['usage_key_days', 'usage_subject_days', 'usage_tool_days', 'quota_limits', 'quota_refusals', 'quota_usage'],
  ...['guard_policies', 'tool_policies', 'model_health', 'model_prices', 'content_words', 'content_words_left'],
  ...['approvals', 'contexts', 'conversations', 'deleted_agent_versions', 'events', 'responses', 'runs', 'tasks'],
  ...['trigger_firings', 'file_knowledge', 'passages', 'prompt_definitions'],
  ...['content_vectors', 'knowledge_search', 'vector_work'],
];
const REVOKED = ['device_link_codes', 'oauth_clients', 'oauth_grants', 'user_api_keys'];

describe('the project of an account or credential', () => {
  const credential = () =>
    ({ userId: actor.userId, name: 'x', scopes: ['*'], plan: 'standard', project: 'nowhere' }) as const;

  it.each<[string, () => Promise<unknown>]>([
    ['a new account', () => newMember('nowhere')],
    ['an API key', () => db.transaction((tx) => issueApiKey(tx, credential(), actor))],
    [
      'an OAuth client',
      () => db.transaction((tx) => issueOAuthClient(tx, { ...credential(), redirectUris: [] }, actor)),
    ],
    [
      'an account that moves',
      async () => {
        const { userId } = actor;
        await db.transaction((tx) => changeAccount(tx, userId, { project: 'nowhere' }, actor, () => undefined));
      },
    ],
  ])('is refused with validation_error when the project does not exist: %s', async (_what, work) => {
    await expect(work()).rejects.toMatchObject({
      code: 'validation_error',
      fields: [{ field: 'project', reason: expect.stringMatching(/./) as string }],
    });
  });

  it('must still exist when an account is enabled again', async () => {
    await create('Atlas');
    await newMember('atlas');
    const id = await idOf('ann@example.com');
    await db.transaction((tx) => disableUser(tx, id, actor, () => undefined, 'test'));
    await remove('atlas');
    await expect(db.transaction((tx) => enableUser(tx, id, actor, () => undefined))).rejects.toMatchObject({
      code: 'validation_error',
      fields: [{ field: 'project', reason: 'is not a project' }],
    });
    await db.transaction((tx) => changeAccount(tx, id, { project: 'Core' }, actor, () => undefined));
    await db.transaction((tx) => enableUser(tx, id, actor, () => undefined));
    expect(encodeId('usr', id)).toMatch(/^usr_/);
  });

  it.each([
    ['the deletion of its row', "DELETE FROM projects WHERE id = 'Core'"],
    ['a new name of Core', "UPDATE projects SET name = 'x' WHERE id = 'Core'"],
    ['the marking of Commerce as deleted', "UPDATE projects SET deleted_at = now() WHERE id = 'Commerce'"],
    ['a change of its id', "UPDATE projects SET id = 'other' WHERE id = 'atlas'"],
    ['a project whose id begins with a capital', "INSERT INTO projects (id, name) VALUES ('Other', 'Other')"],
  ])('is protected by the database against %s', async (_what, sql) => {
    await create('Atlas');
    await expect(db.prisma.$executeRawUnsafe(sql)).rejects.toThrow();
    expect(await names()).toEqual(['Core: Core', 'Commerce: Commerce', 'atlas: Atlas']);
  });
});
