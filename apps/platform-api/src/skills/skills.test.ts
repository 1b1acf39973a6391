import { decodeId } from '@millwright/db';
import { messageOf, createHttpClient, type ClientAnswer } from '@millwright/testing';
import { bearer } from '../test-platform.js';
import { usePlatform } from '../test-use-platform.js';
import type { Skill } from './skills.contract.js';

const { platform, client, foreign } = usePlatform();
let names = 0;

const path = (id: string) => `/api/v1/skills/${id}`;
const newName = () => `Skill ${++names}`;
const fields = (over: object = {}) => ({
  name: newName(),
  description: 'What it does',
  instructions: 'Do it.',
  ...over,
});
const codeOf = ({ body }: ClientAnswer) => (body as { error: { code: string } }).error.code;
const uuidOf = (id: string) => decodeId('sk', id) ?? '';
const rowOf = (id: string) => platform.db.prisma.skill.findUnique({ where: { id: uuidOf(id) } });

async function create(over: object = {}, by = client): Promise<Skill> {
  const answer = await by('POST', '/api/v1/skills', { json: fields(over) });
  expect(answer.status).toBe(201);
  return answer.body as Skill;
}

describe('POST /api/v1/skills', () => {
  it('answers 201 with the skill, its Location and its entity tag, and writes its row, its audit entry and the total', async () => {
    const before = await platform.countOf('Core', 'skills', 'active');
    const parameters = {
      tone: { type: 'string', enum: ['warm', 'formal'], default: 'warm' },
      words: { type: 'integer' },
    };
    const answer = await client('POST', '/api/v1/skills', { json: fields({ name: '  Summarise ', parameters }) });
    const skill = answer.body as Skill;
    expect(answer.status).toBe(201);
    expect(skill).toEqual({
      id: expect.stringMatching(/^sk_[0-9A-Za-z]{22}$/) as string,
      name: 'Summarise',
      description: 'What it does',
      instructions: 'Do it.',
      parameters,
      status: 'active',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      updated_at: skill.created_at,
    });
    expect(answer.headers.get('location')).toBe(path(skill.id));
    expect(answer.headers.get('etag')).toBe('"b-1"');
    expect(await rowOf(skill.id)).toMatchObject({
      name: 'Summarise',
      project: 'Core',
      status: 'active',
      version: 1,
      created_by: platform.user.id,
      parameters,
    });
    expect(await platform.decisionsOn(skill.id)).toEqual([
      {
        action: 'skill.create',
        detail: { name: 'Summarise' },
        project: 'Core',
        decision: 'allow',
        actor_id: platform.user.name,
        user_id: platform.user.id,
      },
    ]);
    expect(await platform.countOf('Core', 'skills', 'active')).toBe(before + 1);
    expect((await client('GET', path(skill.id))).text).toBe(answer.text);
  });

  it('keeps the order of the parameters', async () => {
    const { id } = await create({ parameters: { z: { type: 'string' }, a: { type: 'string' } } });
    const read = (await client('GET', path(id))).body as Skill;
    expect(Object.keys(read.parameters)).toEqual(['z', 'a']);
  });

  it.each<[object, string]>([
    [{ name: undefined }, 'name: is required'],
    [{ name: '   ' }, 'name: must not be empty'],
    [{ name: 'x'.repeat(201) }, 'name: must be at most 200 characters'],
    [{ name: 7 }, 'name: must be a string'],
    [{ description: undefined }, 'description: is required'],
    [{ instructions: '' }, 'instructions: must not be empty'],
    [{ parameters: [] }, 'parameters: must be a'],
    [
      { parameters: { tone: { type: 'colour' } } },
      'parameters.tone.type: must be one of string, integer, number, boolean',
    ],
    [
      { parameters: { tone: { type: 'string', enum: ['a'], default: 'b' } } },
      'parameters.tone.default: is not one of enum',
    ],
    [
      { parameters: { words: { type: 'integer', default: 1.5 } } },
      'parameters.words.default: does not fit type integer',
    ],
    [
      { parameters: { words: { type: 'integer', enum: [1, 'two'] } } },
      'parameters.words.enum.1: does not fit type integer',
    ],
    [{ parameters: { '1st': { type: 'string' } } }, 'parameters.1st: is not allowed as a name'],
    [{ colour: 'red' }, 'colour: is an unknown field'],
    [{ status: 'inactive' }, 'status: is an unknown field'],
  ])('answers 422 for %j, and stores nothing', async (over, fault) => {
    const before = await platform.db.prisma.skill.count();
    const answer = await client('POST', '/api/v1/skills', { json: fields(over) });
    expect([answer.status, codeOf(answer)]).toEqual([422, 'validation_error']);
    expect(messageOf(answer)).toContain(fault);
    expect(await platform.db.prisma.skill.count()).toBe(before);
  });

  it('ignores fields that the server sets', async () => {
    const skill = await create({
      id: 'sk_mine',
      created_at: '2000-01-01',
      project: 'Commerce',
      owner: 'me',
      author: 'me',
      updated_at: 1,
    });
    expect(await rowOf(skill.id)).toMatchObject({ project: 'Core', created_by: platform.user.id });
  });

  it('answers 409 when the project already has that name; the total and the audit log stay unchanged', async () => {
    const { name } = await create();
    const total = await platform.countOf('Core', 'skills');
    const decisions = await platform.db.prisma.governanceDecision.count();
    const answer = await client('POST', '/api/v1/skills', { json: fields({ name }) });
    expect([answer.status, codeOf(answer)]).toEqual([409, 'conflict']);
    expect(await platform.countOf('Core', 'skills')).toBe(total);
    expect(await platform.db.prisma.governanceDecision.count()).toBe(decisions);
    expect((await create({ name }, foreign)).name).toBe(name);
  });

  it('creates one skill from 20 concurrent requests with the same name', async () => {
    const name = newName();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client('POST', '/api/v1/skills', { json: fields({ name }) })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(409)]);
  });
});

describe('GET /api/v1/skills/{skill_id}', () => {
  it('answers 304 without a body for the current entity tag, and 200 for any other tag', async () => {
    const { id } = await create();
    const unchanged = await client('GET', path(id), { headers: { 'if-none-match': '"b-1"' } });
    expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', '"b-1"']);
    expect((await client('GET', path(id), { headers: { 'if-none-match': '"b-2"' } })).status).toBe(200);
  });

  it('matches ids exactly, including letter case and length', async () => {
    const { id } = await create();
    const swapped = id.replace(/[a-z](?=[^a-z]*$)/, (letter) => letter.toUpperCase());
    for (const other of [
      swapped,
      id.toUpperCase(),
      `${id}0`,
      id.slice(0, -1),
      id.replace('sk_', 'ag_'),
      uuidOf(id),
      '*',
    ]) {
      expect((await client('GET', path(other))).status).toBe(404);
    }
  });
});

describe('PUT /api/v1/skills/{skill_id}', () => {
  it('replaces the whole skill: a field that is left out gets its default', async () => {
    const skill = await create({ parameters: { tone: { type: 'string' } } });
    await client('PATCH', path(skill.id), { json: { status: 'inactive' } });
    const changed = fields({ instructions: 'Do it better.' });
    const answer = await client('PUT', path(skill.id), { json: changed });
    expect(answer.body).toMatchObject({
      ...changed,
      id: skill.id,
      parameters: {},
      status: 'active',
      created_at: skill.created_at,
    });
    expect(answer.headers.get('etag')).toBe('"b-3"');
    expect(await rowOf(skill.id)).toMatchObject({ ...changed, parameters: {}, status: 'active', version: 3 });
  });

  it('accepts the body of a GET', async () => {
    const { id } = await create();
    const shown = (await client('GET', path(id))).body as Skill;
    expect((await client('PUT', path(id), { json: shown })).status).toBe(200);
  });

  it('answers 422 naming each missing required field', async () => {
    const { id } = await create();
    const answer = await client('PUT', path(id), { json: { name: newName() } });
    expect([answer.status, messageOf(answer)]).toEqual([
      422,
      'The request has invalid values: description: is required; instructions: is required.',
    ]);
    expect(await rowOf(id)).toMatchObject({ version: 1 });
  });

  it('answers 409 when another skill has the name', async () => {
    const [{ id }, { name }] = [await create(), await create()];
    expect((await client('PUT', path(id), { json: fields({ name }) })).status).toBe(409);
    expect(await rowOf(id)).toMatchObject({ version: 1 });
  });

  it('answers 412 for a stale entity tag, and changes the skill with the current entity tag', async () => {
    const { id } = await create();
    const put = (tag: string) => client('PUT', path(id), { json: fields(), headers: { 'if-match': tag } });
    for (const stale of ['"b-2"', 'W/"b-1"', '"c-1"']) expect((await put(stale)).status).toBe(412);
    expect((await put('"b-7", "b-1"')).status).toBe(200);
    expect((await put('"b-1"')).status).toBe(412);
    expect((await put('*')).status).toBe(200);
  });
});

describe('PATCH /api/v1/skills/{skill_id}', () => {
  it('changes only the fields of the request, and names them in the audit entry', async () => {
    const skill = await create();
    const answer = await client('PATCH', path(skill.id), { json: { description: 'Better' } });
    expect(answer.body).toEqual({ ...skill, description: 'Better', updated_at: (answer.body as Skill).updated_at });
    expect((answer.body as Skill).updated_at >= skill.updated_at).toBe(true);
    expect(answer.headers.get('etag')).toBe('"b-2"');
    expect((await platform.decisionsOn(skill.id)).at(-1)).toMatchObject({
      action: 'skill.update',
      detail: { fields: ['description'] },
      project: 'Core',
    });
  });

  it('changes nothing when the body has no fields', async () => {
    const { id } = await create();
    for (const json of [{}, { id: 'sk_other', created_at: 'x' }]) {
      const answer = await client('PATCH', path(id), { json });
      expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"b-1"']);
    }
    expect(await platform.decisionsOn(id)).toHaveLength(1);
  });

  it('updates the totals when the status changes, and again when it changes back', async () => {
    const counts = async () => [
      await platform.countOf('Core', 'skills', 'active'),
      await platform.countOf('Core', 'skills', 'inactive'),
    ];
    const { id } = await create();
    const [active = 0, inactive = 0] = await counts();
    expect((await client('PATCH', path(id), { json: { status: 'inactive' } })).body).toMatchObject({
      status: 'inactive',
    });
    expect(await counts()).toEqual([active - 1, inactive + 1]);
    await client('PATCH', path(id), { json: { status: 'inactive' } });
    expect(await counts()).toEqual([active - 1, inactive + 1]);
    await client('PATCH', path(id), { json: { status: 'active' } });
    expect(await counts()).toEqual([active, inactive]);
  });

  it.each<[object, string]>([
    [{ status: 'paused' }, 'status: must be one of active, inactive'],
    [{ name: '' }, 'name: must not be empty'],
    [{ name: null }, 'name: must be a string'],
    [{ parameters: { a: {} } }, 'parameters.a.type: is required'],
    [{ colour: 1 }, 'colour: is an unknown field'],
  ])('answers 422 for %j', async (json, fault) => {
    const { id } = await create();
    const answer = await client('PATCH', path(id), { json });
    expect([answer.status, messageOf(answer)]).toEqual([422, expect.stringContaining(fault) as string]);
  });

  it('accepts one of two concurrent changes with the same If-Match', async () => {
    const { id } = await create();
    const patch = (description: string) =>
      client('PATCH', path(id), { json: { description }, headers: { 'if-match': '"b-1"' } });
    const answers = await Promise.all([patch('first'), patch('second')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it('creates one version for each of 10 concurrent changes', async () => {
    const { id } = await create();
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => client('PATCH', path(id), { json: { description: `${n}` } })),
    );
    expect(await rowOf(id)).toMatchObject({ version: 11 });
  });

  it('is not executed by a POST that names PATCH in X-HTTP-Method-Override, which is answered 405', async () => {
    const { id } = await create();
    const override = { 'x-http-method-override': 'PATCH', 'x-method-override': 'PATCH', 'x-http-method': 'PATCH' };
    const answer = await client('POST', path(id), { json: { description: 'no' }, headers: override });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT, PATCH, DELETE']);
    expect((await client('GET', path(id), { headers: { 'x-http-method-override': 'DELETE' } })).status).toBe(200);
  });
});

describe('DELETE /api/v1/skills/{skill_id}', () => {
  it('answers 204 without a body, deletes the skill and decreases the total; the audit log stays unchanged', async () => {
    const { id } = await create();
    const total = await platform.countOf('Core', 'skills');
    const answer = await client('DELETE', path(id));
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await rowOf(id)).toBeNull();
    expect(await platform.countOf('Core', 'skills')).toBe(total - 1);
    expect((await platform.decisionsOn(id)).map(({ action }) => action)).toEqual(['skill.create', 'skill.delete']);
    expect((await client('DELETE', path(id))).status).toBe(404);
  });

  it('answers 412 for a stale entity tag', async () => {
    const { id } = await create();
    expect((await client('DELETE', path(id), { headers: { 'if-match': '"b-2"' } })).status).toBe(412);
    expect((await client('DELETE', path(id), { headers: { 'if-match': '"b-1"' } })).status).toBe(204);
  });
});

describe('another project', () => {
  it('can neither read, change, delete nor list a skill', async () => {
    const { id, name } = await create();
    const answers = [
      await foreign('GET', path(id)),
      await foreign('PUT', path(id), { json: fields() }),
      await foreign('PATCH', path(id), { json: { name: 'taken over' } }),
      await foreign('DELETE', path(id)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(await rowOf(id)).toMatchObject({ name, version: 1 });
    const listed = (await foreign('GET', '/api/v1/skills?per_page=100')).body as { items: Skill[] };
    expect(listed.items.map((item) => item.id)).not.toContain(id);
  });
});

describe('Idempotency-Key', () => {
  it('lets 100 concurrent requests with the same key create only one skill and one audit entry, and increase the total by one', async () => {
    const before = await platform.countOf('Core', 'skills');
    const json = fields();
    const request = { json, headers: { 'idempotency-key': 'create-once' } };
    const answers = await Promise.all(Array.from({ length: 100 }, () => client('POST', '/api/v1/skills', request)));
    expect(await platform.db.prisma.skill.count({ where: { name: json.name } })).toBe(1);
    expect(await platform.countOf('Core', 'skills')).toBe(before + 1);
    const created = answers.filter(({ status }) => status === 201);
    expect(created.length).toBeGreaterThan(0);
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    const { id } = created[0]?.body as Skill;
    expect(await platform.decisionsOn(id)).toHaveLength(1);
    const again = await client('POST', '/api/v1/skills', request);
    expect([again.status, again.headers.get('idempotent-replayed'), again.headers.get('etag')]).toEqual([
      201,
      'true',
      '"b-1"',
    ]);
  });
});

describe('credentials of the platform API', () => {
  it.each(['mw_live_x', 'mw_pat_abcdefghijkl_0123456789012345678901234567890123456789012345678', 'x'.repeat(5_000)])(
    'are refused with 401 when the key is malformed: %s',
    async (key) => {
      expect((await createHttpClient(platform.url, bearer(key))('GET', '/api/v1/skills')).status).toBe(401);
    },
  );

  it('are accepted only in the Authorization header', async () => {
    const key = await platform.issueKey();
    expect(
      (await createHttpClient(platform.url, { 'api-key': key })('GET', `/api/v1/skills?api_key=${key}`)).status,
    ).toBe(401);
  });

  it('are refused as soon as their owner is disabled', async () => {
    const key = createHttpClient(platform.url, bearer(await platform.issueKey()));
    const setStatus = (status: string) =>
      platform.db.prisma.user.update({ where: { id: platform.user.id }, data: { status } });
    await setStatus('inactive');
    const refused = await key('GET', '/api/v1/skills');
    await setStatus('active');
    expect([refused.status, (await key('GET', '/api/v1/skills')).status]).toEqual([401, 200]);
  });
});
