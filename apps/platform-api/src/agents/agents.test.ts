import { createHttpClient, messageOf, type HttpClient } from '@millwright/testing';
import { decodeId, encodeId, newId } from '@millwright/db';
import type { Skill } from '../skills/skills.contract.js';
import { bearer, KNOWN_MODEL } from '../test-platform.js';
import { usePlatform } from '../test-use-platform.js';
import type { Agent } from './agents.contract.js';

const { platform, client, foreign } = usePlatform();
let names = 0;

const path = (id: string) => `/api/v1/agents/${id}`;
const newName = (kind = 'Worker') => `${kind} ${++names}`;
const rowOf = (id: string) => platform.db.prisma.agent.findUnique({ where: { id: decodeId('ag', id) ?? '' } });
const etagOf = async (id: string) => (await client('GET', path(id))).headers.get('etag');

async function createSkill(by = client): Promise<string> {
  const json = { name: newName('Skill'), description: '', instructions: 'Do it.' };
  return ((await by('POST', '/api/v1/skills', { json })).body as Skill).id;
}

async function create(over: object = {}, by = client): Promise<Agent> {
  const answer = await by('POST', '/api/v1/agents', { json: { name: newName(), description: 'Works', ...over } });
  // On a busy machine, the answer may be 503. Clients repeat such a request, and so does this function.
  if (answer.status === 503) return create(over, by);
  expect(answer.status).toBe(201);
  return answer.body as Agent;
}

async function createPlugin(by = client): Promise<string> {
  // An address on which nothing listens: unreachable plugins are installed too.
  const json = { name: newName('Plugin'), type: 'tool', config: { url: 'http://127.0.0.1:9/' } };
  return ((await by('POST', '/api/v1/plugins', { json })).body as { id: string }).id;
}

describe('POST /api/v1/agents', () => {
  it('answers 201 with the agent; stores its row, the order of its skills, its audit entry and the new total', async () => {
    const before = await platform.countOf('Core', 'agents', 'active');
    const skills = [await createSkill(), await createSkill(), await createSkill()].reverse();
    const json = {
      name: ' Writer ',
      description: 'Writes',
      skill_ids: skills,
      model: KNOWN_MODEL,
      model_parameters: { temperature: 0.2, stop: ['END'] },
      instructions: 'Write.',
      published: false,
      plugin_ids: [],
      agent_ids: [],
      content_tags: [],
      mcp_server_ids: [],
      mcp_tools: ['sums/add', 'rates/*'],
      ask_tools: ['sums/*'],
    };
    const answer = await client('POST', '/api/v1/agents', { json });
    const agent = answer.body as Agent;
    expect(answer.status).toBe(201);
    expect(agent).toEqual({
      ...json,
      name: 'Writer',
      slug: 'writer',
      status: 'active',
      on_unknown: 'ask',
      stopped_at: null,
      is_default: false,
      id: expect.stringMatching(/^ag_[0-9A-Za-z]{22}$/) as string,
      created_at: agent.updated_at,
      updated_at: agent.created_at,
    });
    expect([answer.headers.get('location'), answer.headers.get('etag')]).toEqual([path(agent.id), '"b-1"']);
    expect(await rowOf(agent.id)).toMatchObject({
      name: 'Writer',
      slug: 'writer',
      project: 'Core',
      published: false,
      version: 1,
    });
    expect(await platform.decisionsOn(agent.id)).toMatchObject([
      {
        action: 'agent.create',
        detail: { name: 'Writer', slug: 'writer' },
        project: 'Core',
        user_id: platform.user.id,
      },
    ]);
    expect(await platform.countOf('Core', 'agents', 'active')).toBe(before + 1);
    expect((await client('GET', path(agent.id))).text).toBe(answer.text);
  });

  it('requires only a name and a description', async () => {
    expect(await create()).toMatchObject({
      skill_ids: [],
      model: null,
      instructions: '',
      published: true,
      status: 'active',
    });
  });

  it("uses the installation's default for `published` when a POST or PUT leaves the field out", async () => {
    const by = createHttpClient(platform.strictUrl, bearer(await platform.issueKey()));
    const { id, name, slug } = await create({}, by);
    const json = { name, slug, description: 'Works' };
    expect(await rowOf(id)).toMatchObject({ published: false });
    expect((await create({ published: true }, by)).published).toBe(true);
    expect((await by('PUT', path(id), { json })).body).toMatchObject({ published: false });
    expect((await client('PUT', path(id), { json })).body).toMatchObject({ published: true });
  });

  it.each<[object, string]>([
    [{ name: undefined, description: undefined }, 'name: is required; description: is required'],
    [{ name: ' ' }, 'name: must not be empty'],
    [{ name: 'x'.repeat(101) }, 'name: must be at most 100 characters'],
    [{ skill_ids: 'sk_1' }, 'skill_ids: must be an array'],
    [{ skill_ids: [1] }, 'skill_ids.0: must be a string'],
    [{ skill_ids: ['a', 'a'] }, 'skill_ids: must not name a skill twice'],
    [{ skill_ids: Array.from({ length: 101 }, (_, n) => `sk_${n}`) }, 'skill_ids: must be at most 100 entries'],
    [{ model: 'nobody-knows' }, `model: "nobody-knows" is not a model of this project. Available: ${KNOWN_MODEL}`],
    [{ model: '' }, 'model: must not be empty'],
    [{ published: 'yes' }, 'published: must be a boolean'],
    [{ status: 'inactive' }, 'status: is an unknown field'],
    [{ slug: 'mine' }, 'slug: is an unknown field'],
  ])('answers 422 for %j, and stores nothing', async (over, fault) => {
    const before = await platform.db.prisma.agent.count();
    const answer = await client('POST', '/api/v1/agents', { json: { name: newName(), description: '', ...over } });
    expect([answer.status, messageOf(answer)]).toEqual([422, expect.stringContaining(fault) as string]);
    expect(await platform.db.prisma.agent.count()).toBe(before);
  });

  it('answers 422 when a skill id is malformed, unknown or of another project, and the error names this id', async () => {
    const own = await createSkill();
    for (const id of [encodeId('sk', newId()), await createSkill(foreign), 'sk_none', own.replace('sk_', 'ag_')]) {
      const answer = await client('POST', '/api/v1/agents', {
        json: { name: newName(), description: '', skill_ids: [own, id] },
      });
      expect([answer.status, messageOf(answer)]).toEqual([
        422,
        `The request has invalid values: skill_ids: ${id} does not exist.`,
      ]);
    }
  });

  it('answers 409 when the project already has that name, and the error names the field', async () => {
    const { name } = await create();
    const total = await platform.countOf('Core', 'agents');
    const taken = await client('POST', '/api/v1/agents', { json: { name, description: '' } });
    expect([taken.status, taken.body]).toEqual([
      409,
      {
        error: {
          ...{ code: 'conflict', status: 409 },
          message: 'The request conflicts with the current state: name: is taken by another record of the project.',
        },
      },
    ]);
    expect(await platform.countOf('Core', 'agents')).toBe(total);
  });
});

describe('the slug of an agent', () => {
  it('is unique in the installation: a taken slug gets -2, -3, …', async () => {
    expect((await create({ name: 'Über Helfer' })).slug).toBe('uber-helfer');
    expect((await create({ name: 'Über Helfer' }, foreign)).slug).toBe('uber-helfer-2');
    expect((await create({ name: 'uber helfer!' })).slug).toBe('uber-helfer-3');
    expect((await create({ name: 'uber helfer 2' })).slug).toBe('uber-helfer-2-2');
  });

  it('gets the next free number, even when many numbers are taken', async () => {
    const slugs: string[] = [];
    for (let n = 0; n < 12; n++) slugs.push((await create({ name: `Many${'!'.repeat(n)}` })).slug);
    expect(slugs).toEqual(['many', ...Array.from({ length: 11 }, (_, n) => `many-${n + 2}`)]);
  });

  it.each([
    ['Registry', 'registry-2'],
    ['concierge', 'concierge-2'],
    ['PLATFORM', 'platform-2'],
  ])('gets a number when the slug is reserved: the name %s leads to the slug %s', async (name, slug) => {
    expect((await create({ name })).slug).toBe(slug);
  });

  it('is the id of the agent when the name has no letters or digits', async () => {
    const { id, slug } = await create({ name: '工場' });
    expect(slug).toBe(id);
  });

  it('stays the same when the name changes, and cannot be set by a request', async () => {
    const agent = await create();
    const renamed = await client('PATCH', path(agent.id), { json: { name: newName('Renamed'), slug: 'other' } });
    expect(renamed.body).toMatchObject({ slug: agent.slug });
    const sentBack = await client('PUT', path(agent.id), { json: { ...agent, slug: 'other' } });
    expect(sentBack.body).toMatchObject({ slug: agent.slug });
  });

  it('is ignored in a PATCH: a PATCH with only a slug creates no new version of the agent', async () => {
    const { id } = await create();
    expect((await client('PATCH', path(id), { json: { slug: 'other' } })).headers.get('etag')).toBe('"b-1"');
    expect(await platform.decisionsOn(id)).toHaveLength(1);
  });

  it('is unique when many agents with the same name are created concurrently', async () => {
    const variants = Array.from({ length: 12 }, (_, n) =>
      n % 3 === 0 ? `Race 2${'!'.repeat(n)}` : `Race${'!'.repeat(n)}`,
    );
    /** Repeats a request that is answered 503. On a busy machine, the last request in the queue for a name may get this answer. */
    const createInTurn = async (name: string, by: HttpClient): Promise<Agent> => {
      const answer = await by('POST', '/api/v1/agents', { json: { name, description: 'Works' } });
      if (answer.status === 503) return createInTurn(name, by);
      expect(answer.status).toBe(201);
      return answer.body as Agent;
    };
    const agents = await Promise.all(variants.map((name, n) => createInTurn(name, n % 2 ? foreign : client)));
    expect(new Set(agents.map(({ slug }) => slug)).size).toBe(12);
  });
});

describe('PUT /api/v1/agents/{agent_id}', () => {
  it('replaces the whole agent: a field that is left out gets its default', async () => {
    const agent = await create({
      skill_ids: [await createSkill()],
      model: KNOWN_MODEL,
      instructions: 'Work.',
      published: false,
    });
    await client('PATCH', path(agent.id), { json: { status: 'inactive' } });
    const answer = await client('PUT', path(agent.id), { json: { name: agent.name, description: 'New' } });
    expect(answer.body).toMatchObject({
      id: agent.id,
      slug: agent.slug,
      description: 'New',
      skill_ids: [],
      model: null,
      instructions: '',
      published: true,
      status: 'active',
    });
    expect(answer.headers.get('etag')).toBe('"b-3"');
    expect((await platform.decisionsOn(agent.id)).at(-1)).toMatchObject({
      action: 'agent.update',
      detail: { fields: expect.arrayContaining(['name', 'description', 'skill_ids', 'status']) as string[] },
    });
    expect(await platform.db.prisma.agentSkill.count({ where: { agent_id: decodeId('ag', agent.id) ?? '' } })).toBe(0);
  });

  it('accepts the body that GET returned', async () => {
    const agent = await create({ skill_ids: [await createSkill(), await createSkill()] });
    const answer = await client('PUT', path(agent.id), { json: agent });
    expect(answer.body).toEqual({ ...agent, updated_at: (answer.body as Agent).updated_at });
  });

  it('answers 422 naming each missing required field', async () => {
    const { id } = await create();
    const answer = await client('PUT', path(id), { json: { instructions: 'half' } });
    expect([answer.status, messageOf(answer)]).toEqual([
      422,
      'The request has invalid values: name: is required; description: is required.',
    ]);
  });

  it('answers 409 when another agent has the name, and 412 for a stale entity tag', async () => {
    const [{ id }, { name }] = [await create(), await create()];
    const put = (json: object, headers = {}) =>
      client('PUT', path(id), { json: { description: '', ...json }, headers });
    expect((await put({ name })).status).toBe(409);
    expect((await put({ name: newName() }, { 'if-match': '"b-9"' })).status).toBe(412);
    expect(await rowOf(id)).toMatchObject({ version: 1 });
  });
});

describe('PATCH /api/v1/agents/{agent_id}', () => {
  it('keeps the skills in the order of the request', async () => {
    const [a, b, c] = [await createSkill(), await createSkill(), await createSkill()];
    const { id } = await create({ skill_ids: [a, b] });
    for (const skill_ids of [[b, a], [c, b, a], [a], []]) {
      expect((await client('PATCH', path(id), { json: { skill_ids } })).body).toMatchObject({ skill_ids });
      expect((await client('GET', path(id))).body).toMatchObject({ skill_ids });
    }
  });

  it('changes only the fields of the request, and updates the totals per status', async () => {
    const agent = await create({ instructions: 'Work.' });
    const counts = async () => [
      await platform.countOf('Core', 'agents', 'active'),
      await platform.countOf('Core', 'agents', 'inactive'),
    ];
    const [active = 0, inactive = 0] = await counts();
    const answer = await client('PATCH', path(agent.id), { json: { status: 'inactive' } });
    expect(answer.body).toEqual({ ...agent, status: 'inactive', updated_at: (answer.body as Agent).updated_at });
    expect(await counts()).toEqual([active - 1, inactive + 1]);
    expect((await platform.decisionsOn(agent.id)).at(-1)).toMatchObject({ detail: { fields: ['status'] } });
  });

  it('answers 422 for an unknown model or skill, and changes nothing', async () => {
    const { id } = await create();
    const model = await client('PATCH', path(id), { json: { model: 'nobody-knows', description: 'changed' } });
    expect([model.status, messageOf(model)]).toEqual([
      422,
      expect.stringContaining(`is not a model of this project. Available: ${KNOWN_MODEL}`) as string,
    ]);
    const skill = await client('PATCH', path(id), { json: { skill_ids: ['sk_none'], description: 'changed' } });
    expect([skill.status, messageOf(skill)]).toEqual([
      422,
      expect.stringContaining('sk_none does not exist') as string,
    ]);
    expect(await rowOf(id)).toMatchObject({ version: 1, description: 'Works' });
  });

  it('resets the model to the default when the request sets it to null', async () => {
    const { id } = await create({ model: KNOWN_MODEL });
    expect((await client('PATCH', path(id), { json: { model: null } })).body).toMatchObject({ model: null });
  });
});

describe('DELETE /api/v1/agents/{agent_id}', () => {
  it('answers 204, deletes the agent and its skill assignments and decreases the total; the skills and the audit log stay unchanged', async () => {
    const skill = await createSkill();
    const { id } = await create({ skill_ids: [skill] });
    const total = await platform.countOf('Core', 'agents');
    expect((await client('DELETE', path(id))).status).toBe(204);
    expect(await rowOf(id)).toBeNull();
    expect(await platform.countOf('Core', 'agents')).toBe(total - 1);
    expect((await client('GET', `/api/v1/skills/${skill}`)).status).toBe(200);
    expect((await platform.decisionsOn(id)).map(({ action }) => action)).toEqual(['agent.create', 'agent.delete']);
  });

  it('answers 204 however many conversations the agent has; a job deletes these conversations later', async () => {
    const { id } = await create();
    const uuid = decodeId('ag', id) ?? '';
    for (let n = 0; n < 150; n += 1) {
      await platform.db.transaction(async (tx) => {
        await tx.$executeRaw`SET LOCAL session_replication_role = replica`; // disables triggers, which would count and check each row
        await tx.$executeRaw`
          WITH made AS (
            INSERT INTO contexts (id, project, agent_id, user_id)
            SELECT gen_random_uuid(), 'Core', ${uuid}::uuid, (SELECT id FROM users LIMIT 1) FROM generate_series(1, 1000) RETURNING id)
          INSERT INTO context_messages (id, context_id, seq, role, content) SELECT gen_random_uuid(), id, 1, 'user', 'x' FROM made`;
      });
    }
    expect((await client('DELETE', path(id))).status).toBe(204);
    expect((await client('GET', path(id))).status).toBe(404);
    const left = await platform.db.prisma.$queryRaw<object[]>`SELECT id FROM deleted_agents WHERE id = ${uuid}::uuid`;
    expect(left).toEqual([{ id: uuid }]);
  });

  it('keeps the guards of an active agent and each version of the agent that a run has used; keeps nothing of an inactive agent', async () => {
    const [active, inactive] = [await create({ instructions: 'First.' }), await create()];
    const user_id = (await platform.db.prisma.user.findFirstOrThrow()).id;
    const begin = async (id: string, subject_version: number, started_at: Date | null) => {
      const subject = {
        subject_kind: 'agent',
        subject_id: decodeId('ag', id) ?? '',
        subject_name: 'x',
        subject_version,
      };
      const begun = { state: 'waiting', waiting_for: 'approval', started_at };
      const run = { id: newId(), project: 'Core', user_id, channel: 'messages', caller: {}, state: 'queued' };
      await platform.db.prisma.run.create({ data: { ...run, ...(started_at && begun), ...subject } });
    };
    await client('PATCH', path(active.id), { json: { instructions: 'Second.' } });
    await client('PATCH', path(active.id), { json: { instructions: 'Third.' } });
    await begin(active.id, 1, new Date());
    await begin(active.id, 3, new Date());
    await begin(active.id, 2, null);
    await begin(inactive.id, 1, new Date());
    await client('PATCH', path(inactive.id), { json: { status: 'inactive' } });
    const agent_id = decodeId('ag', active.id) ?? '';
    const rules = { email: { input: 'redact' } };
    await platform.db.prisma.guardPolicy.create({ data: { id: newId(), project: 'Core', agent_id, rules } });
    for (const { id } of [active, inactive]) expect((await client('DELETE', path(id))).status).toBe(204);
    const kept = await platform.db.prisma.deletedAgentVersion.findMany({ orderBy: { version: 'asc' } });
    const policy = { rules, phone_countries: [], filters: [] };
    const agent = { instructions: 'Third.', slug: active.slug };
    expect(kept).toMatchObject([
      { agent_id, version: 1, slug: active.slug, agent, state: { instructions: 'First.' }, guard_policies: [policy] },
      { agent_id, version: 3, agent, state: null },
    ]);
  });

  it('answers 412 for a stale entity tag', async () => {
    const { id } = await create();
    expect((await client('DELETE', path(id), { headers: { 'if-match': '"b-2"' } })).status).toBe(412);
  });
});

describe('POST /api/v1/agents/{agent_id}/skills', () => {
  it("answers 201 with the skill, adds it as the agent's last skill, and makes a new version of the agent", async () => {
    const [first, second] = [await createSkill(), await createSkill()];
    const { id } = await create({ skill_ids: [second] });
    const answer = await client('POST', `${path(id)}/skills`, { json: { skill_id: first } });
    expect([answer.status, answer.headers.get('location')]).toEqual([201, `/api/v1/skills/${first}`]);
    expect(answer.body).toEqual((await client('GET', `/api/v1/skills/${first}`)).body);
    expect((await client('GET', path(id))).body).toMatchObject({ skill_ids: [second, first] });
    expect(await etagOf(id)).toBe('"b-2"');
    expect((await platform.decisionsOn(id)).at(-1)).toMatchObject({
      action: 'agent.assign_skill',
      detail: { skill_id: first },
    });
  });

  it('answers 200 for a skill that the agent already has, and changes nothing', async () => {
    const skill = await createSkill();
    const { id } = await create({ skill_ids: [skill] });
    const answer = await client('POST', `${path(id)}/skills`, { json: { skill_id: skill } });
    expect([answer.status, (answer.body as Skill).id, await etagOf(id)]).toEqual([200, skill, '"b-1"']);
    expect(await platform.decisionsOn(id)).toHaveLength(1);
  });

  it('refuses the 101st skill, so that a PUT accepts every body that a GET returns', async () => {
    const skills = [];
    for (let n = 0; n < 101; n++) skills.push(await createSkill());
    const [last = '', ...rest] = skills;
    const { id } = await create({ skill_ids: rest });
    const answer = await client('POST', `${path(id)}/skills`, { json: { skill_id: last } });
    expect([answer.status, messageOf(answer)]).toEqual([422, expect.stringContaining('skill_id:') as string]);
    expect(await etagOf(id)).toBe('"b-1"');
  });

  it('assigns a skill once when 10 requests run concurrently', async () => {
    const skill = await createSkill();
    const { id } = await create();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => client('POST', `${path(id)}/skills`, { json: { skill_id: skill } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(9).fill(200), 201]);
    expect(await etagOf(id)).toBe('"b-2"');
  });

  it('answers 422, and the error names the invalid field', async () => {
    const { id } = await create();
    const strange = await createSkill(foreign);
    for (const [json, fault] of [
      [{}, 'skill_id: is required'],
      [{ skill_id: 1 }, 'skill_id: must be a string'],
      [{ skill_id: 'sk_none' }, 'skill_id: sk_none does not exist'],
      [{ skill_id: strange }, `skill_id: ${strange} does not exist`],
      [{ skill_id: strange, more: 1 }, 'more: is an unknown field'],
    ] as const) {
      const answer = await client('POST', `${path(id)}/skills`, { json });
      expect([answer.status, messageOf(answer)]).toEqual([422, expect.stringContaining(fault) as string]);
    }
  });

  it('does not deadlock with a concurrent deletion of the skill', async () => {
    const pairs = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const skill = await createSkill();
        return { skill, agent: (await create({ skill_ids: [skill] })).id };
      }),
    );
    const statuses = await Promise.all(
      pairs.flatMap(({ skill, agent }) => [
        client('DELETE', `/api/v1/skills/${skill}`),
        client('DELETE', `${path(agent)}/skills/${skill}`),
      ]),
    );
    for (const [n, { status }] of statuses.entries()) expect(n % 2 ? [204, 404] : [204]).toContain(status);
  });

  it('answers 412 for a stale entity tag of the agent', async () => {
    const { id } = await create();
    const request = { json: { skill_id: await createSkill() }, headers: { 'if-match': '"b-2"' } };
    expect((await client('POST', `${path(id)}/skills`, request)).status).toBe(412);
  });
});

describe('GET /api/v1/agents/{agent_id}/skills', () => {
  it('lists the skills of the agent, with pages, order, search and a filter by status', async () => {
    const skills = [await createSkill(), await createSkill(), await createSkill()];
    await createSkill();
    const { id } = await create({ skill_ids: skills });
    await client('PATCH', `/api/v1/skills/${skills[1]}`, { json: { status: 'inactive', description: 'sleeps now' } });
    const list = async (query = '') =>
      (await client('GET', `${path(id)}/skills?${query}`)).body as { items: Skill[]; total: number };
    const idsOf = ({ items }: { items: Skill[] }) => items.map((item) => item.id);
    const all = await list();
    expect([idsOf(all), all.total]).toEqual([[...skills].reverse(), 3]);
    expect(idsOf(await list('order=asc&per_page=2&page=2'))).toEqual([skills[2]]);
    expect(await list('status=inactive')).toMatchObject({ total: 1, items: [{ id: skills[1] }] });
    expect(await list('search=sleeps')).toMatchObject({ total: 1, items: [{ id: skills[1] }] });
    expect((await client('GET', `${path(id)}/skills?per_page=101`)).status).toBe(422);
  });
});

describe('DELETE /api/v1/agents/{agent_id}/skills/{skill_id}', () => {
  it('answers 204, removes only this skill from the agent, and makes a new version of the agent; the skill itself stays', async () => {
    const [a, b] = [await createSkill(), await createSkill()];
    const { id } = await create({ skill_ids: [a, b] });
    expect((await client('DELETE', `${path(id)}/skills/${a}`)).status).toBe(204);
    expect((await client('GET', path(id))).body).toMatchObject({ skill_ids: [b] });
    expect(await etagOf(id)).toBe('"b-2"');
    expect((await platform.decisionsOn(id)).at(-1)).toMatchObject({
      action: 'agent.remove_skill',
      detail: { skill_id: a },
    });
    expect((await client('GET', `/api/v1/skills/${a}`)).status).toBe(200);
    expect((await client('DELETE', `${path(id)}/skills/${a}`)).status).toBe(404);
  });

  it('answers 412 for a stale entity tag of the agent', async () => {
    const skill = await createSkill();
    const { id } = await create({ skill_ids: [skill] });
    expect((await client('DELETE', `${path(id)}/skills/${skill}`, { headers: { 'if-match': '"b-2"' } })).status).toBe(
      412,
    );
  });
});

describe('deleting a skill', () => {
  it('makes a new version of each agent that used the skill, and of no other agent', async () => {
    const [lost, kept] = [await createSkill(), await createSkill()];
    const [user, other] = [await create({ skill_ids: [lost, kept] }), await create({ skill_ids: [kept] })];
    expect((await client('DELETE', `/api/v1/skills/${lost}`)).status).toBe(204);
    expect((await client('GET', path(user.id))).body).toMatchObject({ skill_ids: [kept] });
    expect([await etagOf(user.id), await etagOf(other.id)]).toEqual(['"b-2"', '"b-1"']);
    const stale = await client('PATCH', path(user.id), {
      json: { description: 'x' },
      headers: { 'if-match': '"b-1"' },
    });
    expect(stale.status).toBe(412);
  });

  it('leaves the skill assigned to no agent, even when requests assign the skill concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const skill = await createSkill();
      const { id } = await create();
      const [deleted, assigned] = await Promise.all([
        client('DELETE', `/api/v1/skills/${skill}`),
        client('POST', `${path(id)}/skills`, { json: { skill_id: skill } }),
      ]);
      expect(deleted.status).toBe(204);
      expect([201, 422]).toContain(assigned.status);
      expect((await client('GET', path(id))).body).toMatchObject({ skill_ids: [] });
      expect(await etagOf(id)).toBe(assigned.status === 201 ? '"b-3"' : '"b-1"');
    }
  });
});

describe('another project', () => {
  it('can neither read nor change an agent or its skills', async () => {
    const skill = await createSkill();
    const { id } = await create({ skill_ids: [skill] });
    const answers = [
      await foreign('GET', path(id)),
      await foreign('PUT', path(id), { json: { name: newName(), description: '' } }),
      await foreign('PATCH', path(id), { json: { description: '' } }),
      await foreign('DELETE', path(id)),
      await foreign('GET', `${path(id)}/skills`),
      await foreign('DELETE', `${path(id)}/skills/${skill}`),
      await foreign('POST', `${path(id)}/skills`, { json: { skill_id: await createSkill(foreign) } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(404));
    expect(await rowOf(id)).toMatchObject({ version: 1 });
  });
});

describe('agent_ids', () => {
  it('keep the order of the request; deleting a listed agent removes its id and creates a new version of the agent with the list', async () => {
    const [first, second] = [await create(), await create()];
    const caller = await create({ agent_ids: [second.id, first.id] });
    expect(caller.agent_ids).toEqual([second.id, first.id]);
    expect((await client('DELETE', path(second.id))).status).toBe(204);
    const { body, headers } = await client('GET', path(caller.id));
    expect([(body as Agent).agent_ids, headers.get('etag')]).toEqual([[first.id], '"b-2"']);
    const versions = await client('GET', `${path(caller.id)}/versions`);
    expect((versions.body as { items: { changed: string[] }[] }).items[0]?.changed).toEqual(['agent_ids']);
  });

  it('must name other agents of the project, each only once', async () => {
    const agent = await create();
    for (const [id, words] of [
      [agent.id, 'must not name the agent itself'],
      ['ag_0000000000000000000000', 'does not exist'],
    ]) {
      const refused = await client('PATCH', path(agent.id), { json: { agent_ids: [id] } });
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(words ?? '')]);
    }
    const twice = await client('PATCH', path(agent.id), { json: { agent_ids: ['a', 'a'] } });
    expect(twice.text).toContain('agent_ids: must not name an agent twice');
  });

  it('may name the agents that GET /agents?callable_by lists: all except the agent itself and its direct and indirect callers', async () => {
    const [last, other] = [await create(), await create()];
    const middle = await create({ agent_ids: [last.id] });
    const first = await create({ agent_ids: [middle.id, other.id] });
    const available = async (id: string) => {
      const { body } = await client('GET', `/api/v1/agents?callable_by=${id}&per_page=100`);
      const ids = (body as { items: Agent[] }).items.map((one) => one.id);
      return [first, middle, last, other].map((one) => ids.includes(one.id));
    };
    expect(await available(last.id)).toEqual([false, false, false, true]);
    expect(await available(middle.id)).toEqual([false, false, true, true]);
    expect(await available(first.id)).toEqual([false, true, true, true]);
    await client('PATCH', path(last.id), { json: { agent_ids: [first.id] } });
    expect(await available(middle.id)).toEqual([false, false, false, true]);
    expect((await client('GET', '/api/v1/agents?callable_by=sk_1')).status).toBe(422);
  });

  it('of two agents may name each other, and concurrent changes of both agents succeed', async () => {
    const [one, two] = [await create(), await create()];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        n % 2 === 0
          ? client('PATCH', path(one.id), { json: { agent_ids: [two.id], description: `${n}` } })
          : client('PATCH', path(two.id), { json: { agent_ids: [one.id], description: `${n}` } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const gone = await Promise.all([client('DELETE', path(one.id)), client('DELETE', path(two.id))]);
    expect(gone.map(({ status }) => status)).toEqual([204, 204]);
  });
});

describe('plugin_ids and content_tags', () => {
  it('keep their order in POST, PATCH and PUT, and become empty when a PUT leaves them out', async () => {
    const [a, b] = [await createPlugin(), await createPlugin()];
    const agent = await create({ plugin_ids: [b, a], content_tags: ['prices', 'rules'] });
    expect(agent).toMatchObject({ plugin_ids: [b, a], content_tags: ['prices', 'rules'] });
    const json = { plugin_ids: [a, b], content_tags: [] };
    const changed = await client('PATCH', path(agent.id), { json });
    expect([changed.headers.get('etag'), changed.body]).toEqual(['"b-2"', expect.objectContaining(json)]);
    expect((await platform.decisionsOn(agent.id)).at(-1)?.detail).toEqual({ fields: ['content_tags', 'plugin_ids'] });
    const replaced = await client('PUT', path(agent.id), { json: { name: newName(), description: '' } });
    expect(replaced.body).toMatchObject({ plugin_ids: [], content_tags: [] });
    expect((await client('GET', path(agent.id))).body).toEqual(replaced.body);
  });

  it('are refused with 422 when a plugin id is unknown, of another project or of another kind of record, and nothing changes', async () => {
    const { id } = await create();
    for (const plugin of [encodeId('pl', newId()), await createPlugin(foreign), await createSkill(), 'x']) {
      const answers = [
        await client('POST', '/api/v1/agents', { json: { name: newName(), description: '', plugin_ids: [plugin] } }),
        await client('PATCH', path(id), { json: { description: 'changed', plugin_ids: [plugin] } }),
      ];
      for (const answer of answers) {
        expect([answer.status, messageOf(answer)]).toEqual([
          422,
          `The request has invalid values: plugin_ids: ${plugin} does not exist.`,
        ]);
      }
    }
    expect((await client('GET', path(id))).body).toMatchObject({ description: 'Works', plugin_ids: [] });
  });

  it.each([
    [{ plugin_ids: ['a', 'a'] }, 'plugin_ids: must not name a plugin twice'],
    [{ plugin_ids: 'a' }, 'plugin_ids: must be an array'],
    [{ plugin_ids: null }, 'plugin_ids: must be an array'],
    [{ content_tags: ['a', 'a'] }, 'content_tags: must not name a tag twice'],
    [{ content_tags: [''] }, 'content_tags.0: must not be empty'],
    [{ content_tags: Array.from({ length: 51 }, (_, n) => `${n}`) }, 'content_tags: must be at most 50 entries'],
  ])('are refused with 422: %j', async (fields, fault) => {
    const answer = await client('POST', '/api/v1/agents', { json: { name: newName(), description: '', ...fields } });
    expect([answer.status, messageOf(answer)]).toEqual([422, `The request has invalid values: ${fault}.`]);
  });

  it('no longer contain the id of a plugin after its uninstallation, which creates a new version of each agent with that plugin', async () => {
    const [lost, kept] = [await createPlugin(), await createPlugin()];
    const [user, other] = [await create({ plugin_ids: [lost, kept] }), await create({ plugin_ids: [kept] })];
    expect((await client('DELETE', `/api/v1/plugins/${lost}`)).status).toBe(204);
    expect((await client('GET', path(user.id))).body).toMatchObject({ plugin_ids: [kept] });
    expect([await etagOf(user.id), await etagOf(other.id)]).toEqual(['"b-2"', '"b-1"']);
  });
});

describe('mcp_tools', () => {
  it('allow every tool by default', async () => {
    const agent = await create();
    expect(agent).toMatchObject({ mcp_tools: ['*'] });
    const change = (json: object) => client('PATCH', path(agent.id), { json });
    expect((await change({ mcp_tools: [] })).body).toMatchObject({ mcp_tools: [] });
    expect((await change({ description: 'x' })).body).toMatchObject({ mcp_tools: [] });
    const replaced = await client('PUT', path(agent.id), { json: { name: newName(), description: '' } });
    expect(replaced.body).toMatchObject({ mcp_tools: ['*'] });
  });

  it.each<[object, string]>([
    [{ mcp_tools: ['sums'] }, 'mcp_tools.0: must be *, server/* or server/tool'],
    [{ mcp_tools: ['a/b', 'a/b'] }, 'mcp_tools: must not name a tool twice'],
    [{ mcp_tools: null }, 'mcp_tools: must be an array'],
    [{ mcp_tools: Array.from({ length: 201 }, (_, n) => `a/${n}`) }, 'mcp_tools: must be at most 200 entries'],
  ])('are refused with 422: %j', async (fields, fault) => {
    const answer = await client('POST', '/api/v1/agents', { json: { name: newName(), description: '', ...fields } });
    expect([answer.status, messageOf(answer)]).toEqual([422, `The request has invalid values: ${fault}.`]);
  });
});

describe('mcp_server_ids', () => {
  const createServer = async (by = client) => {
    // An address on which nothing listens: unreachable servers are registered too.
    const json = { name: newName('Server'), url: 'http://127.0.0.1:1/mcp' };
    return ((await by('POST', '/api/v1/mcp/servers', { json })).body as { id: string }).id;
  };

  it('keep their order in POST, PATCH and PUT, and become empty when a PUT leaves them out', async () => {
    const [a, b] = [await createServer(), await createServer()];
    const agent = await create({ mcp_server_ids: [b, a] });
    expect(agent).toMatchObject({ mcp_server_ids: [b, a] });
    const changed = await client('PATCH', path(agent.id), { json: { mcp_server_ids: [a, b] } });
    expect([changed.headers.get('etag'), changed.body]).toEqual([
      '"b-2"',
      expect.objectContaining({ mcp_server_ids: [a, b] }),
    ]);
    expect((await platform.decisionsOn(agent.id)).at(-1)?.detail).toEqual({ fields: ['mcp_server_ids'] });
    const replaced = await client('PUT', path(agent.id), { json: { name: newName(), description: '' } });
    expect(replaced.body).toMatchObject({ mcp_server_ids: [] });
    expect((await client('GET', path(agent.id))).body).toEqual(replaced.body);
  });

  it('are refused with 422 when a server id is unknown, of another project or of another kind of record, and nothing changes', async () => {
    const { id } = await create();
    for (const server of [encodeId('ms', newId()), await createServer(foreign), await createSkill(), 'x']) {
      const json = { description: 'changed', mcp_server_ids: [server] };
      for (const answer of [
        await client('POST', '/api/v1/agents', { json: { ...json, name: newName() } }),
        await client('PATCH', path(id), { json }),
      ])
        expect([answer.status, messageOf(answer)]).toEqual([
          422,
          `The request has invalid values: mcp_server_ids: ${server} does not exist.`,
        ]);
    }
    expect(await rowOf(id)).toMatchObject({ version: 1, description: 'Works' });
  });

  it.each([
    [['a', 'a'], 'mcp_server_ids: must not name an MCP server twice'],
    ['a', 'mcp_server_ids: must be an array'],
    [null, 'mcp_server_ids: must be an array'],
  ])('are refused with 422: %j', async (mcp_server_ids, fault) => {
    const answer = await client('POST', '/api/v1/agents', {
      json: { name: newName(), description: '', mcp_server_ids },
    });
    expect([answer.status, messageOf(answer)]).toEqual([422, `The request has invalid values: ${fault}.`]);
  });

  it('no longer contain the id of a server after its deletion, which creates a new version of each agent with that server', async () => {
    const [lost, kept] = [await createServer(), await createServer()];
    const [user, other] = [await create({ mcp_server_ids: [lost, kept] }), await create({ mcp_server_ids: [kept] })];
    expect((await client('DELETE', `/api/v1/mcp/servers/${lost}`)).status).toBe(204);
    expect((await client('GET', path(user.id))).body).toMatchObject({ mcp_server_ids: [kept] });
    expect([await etagOf(user.id), await etagOf(other.id)]).toEqual(['"b-2"', '"b-1"']);
  });
});

describe('a change of an agent by a key with agents:write', () => {
  const newServer = async () => {
    const json = { name: newName('Server'), url: 'http://127.0.0.1:9/mcp' };
    return ((await client('POST', '/api/v1/mcp/servers', { json })).body as { id: string }).id;
  };
  const keyWith = async (...scopes: string[]) => {
    const by = await platform.clientOf('Core', { scopes: ['agents:read', 'agents:write', ...scopes] });
    return (method: string, at: string, json?: object) => by(method, at, json && { json });
  };
  const KINDS = [
    ['plugin_ids', createPlugin, ['plugins:read']],
    ['mcp_server_ids', newServer, ['mcp:read', 'mcp:call']],
  ] as const;

  it.each(KINDS)(
    'can add %s (by POST, PATCH, PUT or restore) only when the key also has the scopes for such records; refusals are recorded',
    async (field, make, scopes) => {
      const json = { name: newName(), description: '', [field]: [await make()] };
      for (const missing of scopes) {
        const by = await keyWith(...scopes.filter((scope) => scope !== missing));
        const bare = await create();
        const attached = await create(json);
        await client('PATCH', path(attached.id), { json: { [field]: [] } });
        const answers = [
          await by('POST', '/api/v1/agents', { ...json, name: newName() }),
          await by('PATCH', path(bare.id), { [field]: json[field] }),
          await by('PUT', path(bare.id), { ...json, name: newName() }),
          await by('POST', `${path(attached.id)}/versions/1/restore`),
        ];
        expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
        expect((await client('GET', path(bare.id))).body).toMatchObject({ name: bare.name, [field]: [] });
        const denied = (await platform.decisionsOn(bare.id)).filter(({ decision }) => decision === 'deny');
        expect(denied.map(({ action }) => action)).toEqual(['agent.update', 'agent.update']);
        await client('DELETE', path(attached.id));
      }
      const by = await keyWith(...scopes);
      expect((await by('POST', '/api/v1/agents', json)).status).toBe(201);
    },
  );

  it.each(KINDS)('can keep or remove %s even when the key lacks the scopes for such records', async (field, make) => {
    const [first, second] = [await make(), await make()];
    const agent = await create({ [field]: [first, second] });
    const by = await keyWith();
    const kept = await by('PUT', path(agent.id), { ...agent, description: 'New' });
    expect([kept.status, (kept.body as Agent)[field]]).toEqual([200, [first, second]]);
    const fewer = await by('PATCH', path(agent.id), { [field]: [second] });
    expect([fewer.status, (fewer.body as Agent)[field]]).toEqual([200, [second]]);
  });
});

describe('model_parameters of an agent', () => {
  it('are replaced as a whole, stored in versions, unchanged when other fields change, and empty when a POST or PUT leaves them out', async () => {
    const { id, model_parameters } = await create();
    expect(model_parameters).toEqual({});
    const set = { temperature: 0, max_tokens: 500, top_p: 0.9, reasoning_effort: 'high', stop: ['END'] };
    const change = async (json: object) => (await client('PATCH', path(id), { json })).body as Agent;
    expect((await change({ model_parameters: set })).model_parameters).toEqual(set);
    expect((await change({ description: 'Other' })).model_parameters).toEqual(set);
    expect((await change({ model_parameters: { temperature: 1 } })).model_parameters).toEqual({ temperature: 1 });
    expect((await client('GET', `${path(id)}/versions/2`)).body).toMatchObject({
      state: { model_parameters: set },
      changed: ['model_parameters'],
    });
    const restored = await client('POST', `${path(id)}/versions/2/restore`, { json: {} });
    expect(restored.body).toMatchObject({ model_parameters: set });
    const replaced = await client('PUT', path(id), { json: { name: newName(), description: '' } });
    expect(replaced.body).toMatchObject({ model_parameters: {} });
  });

  it.each([
    [{ temperature: 2.1 }, 'model_parameters.temperature'],
    [{ top_p: -1 }, 'model_parameters.top_p'],
    [{ stop: [''] }, 'model_parameters.stop.0'],
    [{ seed: 1 }, 'model_parameters.seed'],
  ])('are refused with 422 when they are %j, and the error names %s', async (model_parameters, field) => {
    const answer = await client('POST', '/api/v1/agents', {
      json: { name: newName(), description: '', model_parameters },
    });
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([422, expect.stringContaining(field)]);
  });
});
