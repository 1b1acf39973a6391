import { fileURLToPath } from 'node:url';
import { createDatabase, decodeId, encodeId, newId } from '@millwright/db';
import { migrate, readMigrations } from '@millwright/db/migrations';
import { createEmptyDatabase, messageOf } from '@millwright/testing';
import { usePlatform } from '../test-use-platform.js';
import type { Version } from './versions.contract.js';

const { platform, client, foreign } = usePlatform();
let names = 0;

const newName = () => `Named ${++names}`;
const create = async (kind: string, json: object) =>
  (
    (await client('POST', `/api/v1/${kind}`, { json: { name: newName(), description: '', ...json } })).body as {
      id: string;
    }
  ).id;
const newPlugin = () => create('plugins', { type: 'tool', config: { url: 'http://127.0.0.1:9/' } }); // nothing listens at this address
const newSkill = (json: object = {}) => create('skills', { instructions: 'Do it.', ...json });
const versionsOf = async (path: string, query = '') =>
  (await client('GET', `${path}/versions${query}`)).body as { items: Version[]; total: number };
const restore = (path: string, version: number, headers = {}) =>
  client('POST', `${path}/versions/${version}/restore`, { headers });
const by = () => ({
  user_id: encodeId('usr', platform.user.id),
  actor_kind: 'user',
  actor_id: platform.user.name,
});

describe('GET /api/v1/skills/{skill_id}/versions', () => {
  it('returns the versions, newest first, each with its actor, time, changed fields and complete state', async () => {
    const parameters = { z: { type: 'string' }, a: { type: 'integer' } };
    const id = await newSkill({ name: 'Versioned', parameters });
    const path = `/api/v1/skills/${id}`;
    await client('PATCH', path, { json: { instructions: 'Do it well.', description: '' } });
    const { updated_at } = (await client('PATCH', path, { json: { status: 'inactive' } })).body as {
      updated_at: string;
    };
    const { items, ...envelope } = await versionsOf(path);
    expect(envelope).toEqual({ total: 3, page: 1, per_page: 20 });
    expect(items.map(({ version, changed }) => [version, changed])).toEqual([
      [3, ['status']],
      [2, ['instructions']],
      [1, ['name', 'description', 'instructions', 'parameters', 'status']],
    ]);
    const state = { name: 'Versioned', description: '', instructions: 'Do it well.', parameters };
    expect(items[0]).toEqual({
      version: 3,
      at: updated_at,
      by: by(),
      changed: ['status'],
      state: { ...state, status: 'inactive' },
    });
    expect(items[2]?.state).toEqual({ ...state, instructions: 'Do it.', status: 'active' });
    expect(Object.keys((items[2]?.state as { parameters: object }).parameters)).toEqual(['z', 'a']);
  });

  it('numbers versions like the entity tags, and lists them page by page', async () => {
    const path = `/api/v1/skills/${await newSkill()}`;
    for (let n = 2; n <= 5; n++) await client('PATCH', path, { json: { description: `${n}` } });
    expect((await client('GET', path)).headers.get('etag')).toBe('"b-5"');
    const pages = await Promise.all([1, 2, 3, 4].map((page) => versionsOf(path, `?per_page=2&page=${page}`)));
    expect(pages.map(({ items }) => items.map(({ version }) => version))).toEqual([[5, 4], [3, 2], [1], []]);
    expect(pages.map(({ total }) => total)).toEqual([5, 5, 5, 5]);
  });

  it('lists no version for a request that failed or changed nothing', async () => {
    const name = newName();
    await newSkill({ name });
    const path = `/api/v1/skills/${await newSkill()}`;
    await client('PATCH', path, { json: { name } });
    await client('PATCH', path, { json: { name: '' } });
    await client('PATCH', path, { json: {} });
    expect((await versionsOf(path)).total).toBe(1);
  });

  it.each([
    ['per_page=101', 'per_page: must be at most 100'],
    ['page=0', 'page: must be at least 1'],
    ['page=1&page=1', 'page: must be given once'],
  ])('answers 422 for %s', async (query, fault) => {
    const answer = await client('GET', `/api/v1/skills/${await newSkill()}/versions?${query}`);
    expect([answer.status, messageOf(answer)]).toEqual([422, expect.stringContaining(fault) as string]);
  });

  it('answers 404 after the skill is deleted', async () => {
    const path = `/api/v1/skills/${await newSkill()}`;
    await client('DELETE', path);
    expect((await client('GET', `${path}/versions`)).status).toBe(404);
    expect((await client('GET', `${path}/versions/1`)).status).toBe(404);
  });
});

describe('GET /api/v1/skills/{skill_id}/versions/{version}', () => {
  it('returns a version in the same form as the list does', async () => {
    const path = `/api/v1/skills/${await newSkill()}`;
    await client('PATCH', path, { json: { description: 'Changed' } });
    const { items } = await versionsOf(path);
    expect((await client('GET', `${path}/versions/1`)).body).toEqual(items[1]);
  });

  it.each(['0', '3', '-1', '1.5', 'one', '99999999999'])(
    'answers 404 for version %s of a skill that has two versions',
    async (version) => {
      const path = `/api/v1/skills/${await newSkill()}`;
      await client('PATCH', path, { json: { description: 'Changed' } });
      expect((await client('GET', `${path}/versions/${version}`)).status).toBe(404);
    },
  );
});

describe('POST /api/v1/skills/{skill_id}/versions/{version}/restore', () => {
  it('creates a new, audited version with the earlier state, and leaves the other versions unchanged', async () => {
    const id = await newSkill({ parameters: { tone: { type: 'string' } } });
    const path = `/api/v1/skills/${id}`;
    const first = (await client('GET', path)).body as object;
    await client('PUT', path, {
      json: { name: newName(), description: 'x', instructions: 'Other.', status: 'inactive' },
    });
    const inactive = await platform.countOf('Core', 'skills', 'inactive');
    const answer = await restore(path, 1);
    expect([answer.status, answer.headers.get('etag'), answer.headers.get('location')]).toEqual([
      201,
      '"b-3"',
      `${path}/versions/3`,
    ]);
    expect(answer.body).toEqual({ ...first, updated_at: expect.any(String) as string });
    expect((await client('GET', path)).body).toEqual(answer.body);
    expect(await platform.countOf('Core', 'skills', 'inactive')).toBe(inactive - 1);
    const { items } = await versionsOf(path);
    expect(items.map(({ version }) => version)).toEqual([3, 2, 1]);
    expect(items[0]?.state).toEqual(items[2]?.state);
    expect((await platform.decisionsOn(id)).map(({ action, detail }) => [action, detail])).toContainEqual([
      'skill.restore',
      { version: 1 },
    ]);
  });

  it('answers 409 when another skill has taken the earlier name, and changes nothing', async () => {
    const name = newName();
    const path = `/api/v1/skills/${await newSkill({ name })}`;
    await client('PATCH', path, { json: { name: newName() } });
    await newSkill({ name });
    expect((await restore(path, 1)).status).toBe(409);
    expect((await versionsOf(path)).total).toBe(2);
  });

  it('answers 412 for a stale entity tag', async () => {
    const path = `/api/v1/skills/${await newSkill()}`;
    await client('PATCH', path, { json: { description: 'x' } });
    expect((await restore(path, 1, { 'if-match': '"b-1"' })).status).toBe(412);
    expect((await restore(path, 1, { 'if-match': '"b-2"' })).status).toBe(201);
  });

  it('restores the version only once for repeated requests with the same Idempotency-Key', async () => {
    const path = `/api/v1/skills/${await newSkill()}`;
    const keyed = { 'idempotency-key': `restore-${names}` };
    const answers = [await restore(path, 1, keyed), await restore(path, 1, keyed)];
    expect(answers.map(({ status, headers }) => [status, headers.get('idempotent-replayed')])).toEqual([
      [201, null],
      [201, 'true'],
    ]);
    expect((await versionsOf(path)).total).toBe(2);
  });
});

describe('versions of agents', () => {
  it('are made for each change of the agent and of its list of skills', async () => {
    const [one, two] = [await newSkill(), await newSkill()];
    const path = `/api/v1/agents/${await create('agents', { skill_ids: [one] })}`;
    await client('POST', `${path}/skills`, { json: { skill_id: two } });
    await client('POST', `${path}/skills`, { json: { skill_id: two } });
    await client('DELETE', `${path}/skills/${one}`);
    await client('PATCH', path, { json: { instructions: 'Work.' } });
    await client('DELETE', `/api/v1/skills/${two}`);
    const { items, total } = await versionsOf(path);
    expect(total).toBe(5);
    expect(items.map(({ changed, state }) => [changed[0], (state as { skill_ids: string[] }).skill_ids])).toEqual([
      ['skill_ids', []],
      ['instructions', [two]],
      ['skill_ids', [two]],
      ['skill_ids', [one, two]],
      ['name', [one]],
    ]);
    expect(items[0]?.version).toBe(5);
    expect((await client('GET', path)).headers.get('etag')).toBe('"b-5"');
    expect((await client('GET', `${path}/versions/3`)).body).toEqual(items[2]);
  });

  it('include one new version of each of 60 agents when a skill that they share is deleted', async () => {
    const skill = await newSkill();
    const agents: string[] = [];
    for (let n = 0; n < 60; n++) agents.push(await create('agents', { skill_ids: [skill] }));
    expect((await client('DELETE', `/api/v1/skills/${skill}`)).status).toBe(204);
    for (const agent of agents) {
      const { items } = await versionsOf(`/api/v1/agents/${agent}`);
      expect(items.map(({ version, changed }) => [version, changed])).toEqual([
        [2, ['skill_ids']],
        [1, Object.keys(items[1]?.state as object)],
      ]);
    }
  });

  it('include a new version when a plugin of the agent is uninstalled, but none for agents without the plugin', async () => {
    const [lost, kept] = [await newPlugin(), await newPlugin()];
    const path = `/api/v1/agents/${await create('agents', { plugin_ids: [lost, kept], content_tags: ['rules'] })}`;
    const other = `/api/v1/agents/${await create('agents', { plugin_ids: [kept] })}`;
    expect((await client('DELETE', `/api/v1/plugins/${lost}`)).status).toBe(204);
    const { items } = await versionsOf(path);
    expect(items.map((item) => [item.version, item.by, item.state])).toEqual([
      [2, by(), expect.objectContaining({ plugin_ids: [kept], content_tags: ['rules'] })],
      [1, by(), expect.objectContaining({ plugin_ids: [lost, kept], content_tags: ['rules'] })],
    ]);
    expect(items[0]?.changed).toEqual(['plugin_ids']);
    expect((await versionsOf(other)).total).toBe(1);
  });

  it('restore every field that requests can set, but neither id nor slug', async () => {
    const given = { skill_ids: [await newSkill()], plugin_ids: [await newPlugin()], content_tags: ['rules'] };
    const path = `/api/v1/agents/${await create('agents', { ...given, instructions: 'First.', published: false })}`;
    const first = (await client('GET', path)).body as object;
    await client('PUT', path, { json: { name: newName(), description: 'Other' } });
    const answer = await restore(path, 1, { 'if-match': '"b-2"' });
    expect([answer.status, answer.headers.get('etag')]).toEqual([201, '"b-3"']);
    expect(answer.body).toEqual({ ...first, updated_at: expect.any(String) as string });
  });

  it.each([
    ['skill', 'skills', newSkill],
    ['plugin', 'plugins', newPlugin],
  ])(
    'cannot be restored when they name a %s that was deleted: the answer is 422, and its message contains the id of this record',
    async (name, kind, make) => {
      const gone = await make();
      const path = `/api/v1/agents/${await create('agents', { [`${name}_ids`]: [gone] })}`;
      await client('DELETE', `/api/v1/${kind}/${gone}`);
      const answer = await restore(path, 1);
      expect([answer.status, messageOf(answer)]).toEqual([
        422,
        `The request has invalid values: ${name}_ids: ${gone} does not exist.`,
      ]);
      expect((await versionsOf(path)).total).toBe(2);
    },
  );

  it('restore the default for a field that was introduced after the version', async () => {
    const id = await create('agents', { instructions: 'Now.', published: false });
    const path = `/api/v1/agents/${id}`;
    await platform.db.prisma.$executeRaw`
      UPDATE agent_versions SET state = '{"name": "From before", "description": "Old"}' WHERE version = 1
         AND agent_id = (SELECT id FROM agents WHERE slug = ${((await client('GET', path)).body as { slug: string }).slug})`;
    expect((await versionsOf(path)).items[0]?.state).toEqual({ name: 'From before', description: 'Old' });
    expect((await restore(path, 1)).body).toMatchObject({ name: 'From before', instructions: '', published: true });
  });
});

describe('another project', () => {
  it('can neither read nor restore versions', async () => {
    const skill = `/api/v1/skills/${await newSkill()}`;
    const agent = `/api/v1/agents/${await create('agents', {})}`;
    for (const path of [skill, agent]) {
      const answers = [
        await foreign('GET', `${path}/versions`),
        await foreign('GET', `${path}/versions/1`),
        await foreign('POST', `${path}/versions/1/restore`),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
      expect((await versionsOf(path)).total).toBe(1);
    }
  });
});

describe('skills and agents that were created before versions were stored', () => {
  it('get the state at the migration as their first stored version', async () => {
    const empty = await createEmptyDatabase();
    const db = createDatabase({ url: empty.url, poolMax: 2 });
    const all = readMigrations(fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url)));
    const at = all.findIndex(({ name }) => name.endsWith('_catalog_versions'));
    await migrate(empty.url, all.slice(0, at));
    const [user, one, two, agent] = [newId(), newId(), newId(), newId()];
    await db.prisma
      .$executeRaw`INSERT INTO users (id, email, name, role, project, webauthn_user_id) VALUES (${user}::uuid, 'a@b.c', 'Ada', 'user', 'Core', decode(repeat('01', 32), 'hex'))`;
    for (const [id, name] of [
      [one, 'One "1"'],
      [two, 'Two\n2'],
    ])
      await db.prisma.$executeRaw`
        INSERT INTO skills (id, project, name, description, instructions, parameters, created_by, version)
        VALUES (${id}::uuid, 'Core', ${name}, 'd', 'i', '{"b":{"type":"string"},"a":{"type":"string"}}', ${user}::uuid, 7)`;
    await db.prisma.$executeRaw`
      INSERT INTO agents (id, project, name, slug, description, created_by) VALUES (${agent}::uuid, 'Core', 'Ag', 'ag', 'd', ${user}::uuid)`;
    await db.prisma.$executeRaw`
      INSERT INTO agent_skills (agent_id, skill_id, position) VALUES (${agent}::uuid, ${one}::uuid, 1), (${agent}::uuid, ${two}::uuid, 0)`;
    await migrate(empty.url, all);
    const skills = await db.prisma
      .$queryRaw`SELECT version, state::text, actor_id FROM skill_versions ORDER BY skill_id`;
    const parameters = '{"b":{"type":"string"},"a":{"type":"string"}}';
    expect(skills).toMatchObject([
      { version: 7, actor_id: 'Ada', state: expect.stringContaining(`"One \\"1\\""`) as string },
      { version: 7, actor_id: 'Ada', state: expect.stringContaining(parameters) as string },
    ]);
    expect(
      await db.prisma
        .$queryRaw`SELECT version, state->'skill_ids' AS skills, state->>'status' AS status FROM agent_versions`,
    ).toEqual([{ version: 1, skills: [encodeId('sk', two), encodeId('sk', one)], status: 'active' }]);
    await db.close();
    await empty.drop();
  });
});

describe('the versions of a record', () => {
  it.each([
    ['skills', 'skill_versions', 'skill_id'],
    ['agents', 'agent_versions', 'agent_id'],
  ])('are limited to the newest 1,000 (kind: %s): a further version replaces the oldest', async (kind, table, key) => {
    const id = await create(kind, kind === 'skills' ? { instructions: 'Do it.' } : {});
    const uuid = decodeId(kind === 'skills' ? 'sk' : 'ag', id);
    const path = `/api/v1/${kind}/${id}`;
    // Simulates 1,004 versions stored by the previous release.
    await platform.db.prisma.$executeRawUnsafe(`ALTER TABLE ${table} DISABLE TRIGGER ${table}_delete_oldest`);
    await platform.db.prisma.$executeRawUnsafe(`
      INSERT INTO ${table} (${key}, version, state, changed, created_by, actor_kind, actor_id)
      SELECT ${key}, n, state, '{}', created_by, actor_kind, actor_id FROM ${table}, generate_series(2, 1004) n WHERE ${key} = '${uuid}'`);
    await platform.db.prisma.$executeRawUnsafe(`UPDATE ${kind} SET version = 1004 WHERE id = '${uuid}'`);
    await platform.db.prisma.$executeRawUnsafe(`ALTER TABLE ${table} ENABLE TRIGGER ${table}_delete_oldest`);
    expect((await client('PATCH', path, { json: { description: 'Once more' } })).status).toBe(200);
    const oldest = async () => {
      const { total } = await versionsOf(path);
      const { items } = await versionsOf(path, `?page=${Math.ceil(total / 100)}&per_page=100`);
      return [total, items.at(-1)?.version];
    };
    expect(await oldest()).toEqual([1_000, 6]);
    expect((await client('PATCH', path, { json: { description: 'And again' } })).status).toBe(200);
    expect(await oldest()).toEqual([1_000, 7]);
    expect((await client('GET', `${path}/versions/6`)).status).toBe(404);
    expect((await restore(path, 6)).status).toBe(404);
    expect((await restore(path, 7)).status).toBe(201);
  });
});
