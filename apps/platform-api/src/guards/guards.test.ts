import { decodeId } from '@millwright/db';
import { newWebhookSecret } from '@millwright/events/signatures';
import { createTestDatabase, listen, type HttpClient, type ListeningApp, type TestDatabase } from '@millwright/testing';
import { startPlatform, type TestPlatform } from '../test-platform.js';

let database: TestDatabase;
let platform: TestPlatform;
let admin: HttpClient;
let stranger: HttpClient;
let agent: string;
let upstream: ListeningApp;

beforeAll(async () => {
  database = await createTestDatabase();
  upstream = await listen((_request, response) => response.end());
  platform = await startPlatform(database.url);
  admin = await platform.clientOf('Core', { admin: true });
  stranger = await platform.clientOf('Commerce', { admin: true });
  const { body } = await admin('POST', '/api/v1/agents', { json: { name: 'Helper', description: '', skill_ids: [] } });
  agent = (body as { id: string }).id;
});
beforeEach(() => platform.db.prisma.guardPolicy.deleteMany());
afterAll(async () => {
  await platform.close();
  await Promise.all([database.drop(), upstream.close()]);
});

const put = (path: string, json: object, by = admin) => by('PUT', path, { json });
const RULES = { email: { input: 'redact', output: 'flag' }, secrets: { input: 'block' } };

describe('PUT /guards', () => {
  it('sets and audits the rules of this project only', async () => {
    expect((await admin('GET', '/api/v1/guards')).body).toEqual({
      ...{ rules: {}, phone_countries: [], filters: [] },
      updated_at: null,
    });
    const { status, body } = await put('/api/v1/guards', { rules: RULES, phone_countries: ['DE'] });
    expect([status, body]).toMatchObject([200, { rules: RULES, phone_countries: ['DE'] }]);
    expect((await admin('GET', '/api/v1/guards')).body).toEqual(body);
    expect((await stranger('GET', '/api/v1/guards')).body).toMatchObject({ rules: {} });
    expect((await platform.decisionsOn('guards')).at(-1)).toMatchObject({
      ...{ action: 'guards.update', project: 'Core' },
      detail: { rules: RULES, phone_countries: ['DE'] },
    });
    expect((await put('/api/v1/guards', { rules: {} })).body).toMatchObject({ rules: {}, phone_countries: [] });
    expect(await platform.db.prisma.guardPolicy.count()).toBe(1);
  });

  it.each([
    [{ rules: { email: { input: 'delete' } } }, 'rules.email.input'],
    [{ rules: { name: { input: 'redact' } } }, 'rules'],
    [{ rules: {}, phone_countries: ['Germany'] }, 'phone_countries.0'],
    [{}, 'rules'],
  ])('refuses %j, and the error names %s', async (json, field) => {
    const { status, text } = await put('/api/v1/guards', json);
    expect(status).toBe(422);
    expect(text).toContain(field);
  });

  it('requires an admin', async () => {
    const user = await platform.clientOf('Core');
    expect((await put('/api/v1/guards', { rules: {} }, user)).status).toBe(403);
    expect((await user('GET', '/api/v1/guards')).status).toBe(200);
  });
});

describe('PUT /agents/{agent_id}/guards', () => {
  const path = () => `/api/v1/agents/${agent}/guards`;

  it('sets rules that are stricter for this agent than the rules of the project', async () => {
    await put('/api/v1/guards', { rules: RULES, phone_countries: ['DE'] });
    const own = { email: { input: 'block' }, card: { tools: 'redact' } };
    const { status, body } = await put(path(), { rules: own, phone_countries: ['FR'] });
    expect([status, body]).toMatchObject([
      200,
      {
        rules: own,
        effective: {
          rules: {
            email: { input: 'block', output: 'flag', tools: 'off' },
            secrets: { input: 'block' },
            card: { input: 'off', tools: 'redact' },
          },
        },
      },
    ]);
    expect((body as { effective: { phone_countries: string[] } }).effective.phone_countries.toSorted()).toEqual([
      'DE',
      'FR',
    ]);
    expect((await admin('GET', path())).body).toEqual(body);
    expect((await platform.decisionsOn(agent)).at(-1)).toMatchObject({ action: 'agent.set_guards' });
  });

  it('refuses rules that are less strict than the rules of the project', async () => {
    await put('/api/v1/guards', { rules: RULES });
    const { status, text } = await put(path(), { rules: { secrets: { input: 'redact' } } });
    expect(status).toBe(422);
    expect(text).toContain('rules.secrets.input: must not be less strict than the project');
  });

  it('sets a rule of the agent, which has no effect once the project has a stricter rule', async () => {
    await put(path(), { rules: { email: { input: 'flag' } } });
    await put('/api/v1/guards', { rules: { email: { input: 'redact' } } });
    expect((await admin('GET', path())).body).toMatchObject({ effective: { rules: { email: { input: 'redact' } } } });
  });

  it('answers 404 for an agent of another project', async () => {
    expect((await put(path(), { rules: {} }, stranger)).status).toBe(404);
    expect((await stranger('GET', path())).status).toBe(404);
  });
});

interface Plugin {
  id: string;
  version: number;
  config: Record<string, unknown>;
}

describe('external guards', () => {
  let count = 0;
  const filter = (config: object = {}) => ({
    name: `Filter ${(count += 1)}`,
    type: 'filter',
    config: { url: upstream.url, secret: newWebhookSecret(), ...config },
  });
  async function install(by = admin): Promise<Plugin> {
    const { status, body, text } = await by('POST', '/api/v1/plugins', { json: filter() });
    if (status !== 201) throw new Error(text);
    return body as Plugin;
  }
  const use = ({ id, version }: Plugin, changes: object = {}) => ({
    rules: {},
    filters: [{ plugin_id: id, version, points: ['input'], ...changes }],
  });
  const filters = async (path: string) =>
    ((await admin('GET', path)).body as { filters: Record<string, unknown>[] }).filters;
  const ofAgent = () => `/api/v1/agents/${agent}/guards`;

  it('are plugins of type filter whose secret is not readable', async () => {
    const plugin = await install();
    expect(plugin.config).toEqual({ url: upstream.url, secret: '********' });
    const row = await platform.db.prisma.plugin.findUniqueOrThrow({ where: { id: decodeId('pl', plugin.id) ?? '' } });
    expect(JSON.stringify(row.config)).not.toContain('whsec_');
    expect(row.secrets).not.toContain('whsec_');
  });

  it.each([
    [{ secret: undefined }, 'config.secret'],
    [{ secret: 'short' }, 'config.secret'],
    [{ timeout_ms: 60_000 }, 'config.timeout_ms'],
    [{ calls_per_minute: 0 }, 'config.calls_per_minute'],
    [{ on_failure: 'allow' }, 'config'],
  ])('are refused with the config %j, and the error names %s', async (config, field) => {
    const { status, text } = await admin('POST', '/api/v1/plugins', { json: filter(config) });
    expect([status, text.includes(field)]).toEqual([422, true]);
  });

  it('are installed, changed and removed by admins only, and refusals are recorded', async () => {
    const user = await platform.clientOf('Core', { admin: false });
    const plugin = await install();
    const path = `/api/v1/plugins/${plugin.id}`;
    const statuses = [
      (await user('POST', '/api/v1/plugins', { json: filter() })).status,
      (await user('PATCH', path, { json: { status: 'inactive' } })).status,
      (await user('PUT', `${path}/config`, { json: { url: upstream.url } })).status,
      (await user('DELETE', path)).status,
    ];
    expect(statuses).toEqual([403, 403, 403, 403]);
    expect((await platform.decisionsOn(plugin.id)).filter(({ decision }) => decision === 'deny')).toHaveLength(3);
    expect((await admin('DELETE', path)).status).toBe(204);
  });

  it('are set in a policy with the current version of the plugin; an earlier version is refused with 422', async () => {
    const plugin = await install();
    const { status, body } = await put('/api/v1/guards', use(plugin));
    const set = { plugin_id: plugin.id, version: 1, is_current: true, points: ['input'], on_failure: 'block' };
    expect([status, body]).toMatchObject([200, { filters: [set] }]);
    expect((await platform.decisionsOn('guards')).at(-1)).toMatchObject({
      detail: { filters: [{ plugin_id: plugin.id, version: 1 }] },
    });
    await admin('PATCH', `/api/v1/plugins/${plugin.id}`, { json: { config: { timeout_ms: 500 } } });
    expect(await filters('/api/v1/guards')).toMatchObject([{ version: 1, is_current: false }]);
    const stale = await put('/api/v1/guards', use(plugin));
    expect([stale.status, stale.text.includes('filters.0.version')]).toEqual([422, true]);
    expect((await put('/api/v1/guards', use({ ...plugin, version: 2 }))).status).toBe(200);
    expect(await filters('/api/v1/guards')).toMatchObject([{ version: 2, is_current: true }]);
  });

  it('cannot be uninstalled while a policy contains them', async () => {
    const plugin = await install();
    await put(ofAgent(), use(plugin));
    const { status, text } = await admin('DELETE', `/api/v1/plugins/${plugin.id}`);
    expect([status, text.includes('remove it from Guards')]).toEqual([409, true]);
    await put(ofAgent(), { rules: {} });
    expect((await admin('DELETE', `/api/v1/plugins/${plugin.id}`)).status).toBe(204);
  });

  it('of an agent are added to the guards of its project; the agent cannot set on_failure of a guard of the project to allow', async () => {
    const [one, other] = [await install(), await install()];
    await put('/api/v1/guards', use(one));
    const looser = await put(ofAgent(), use(one, { on_failure: 'allow' }));
    expect([looser.status, looser.text.includes('filters.0.on_failure')]).toEqual([422, true]);
    const own = [use(one, { points: ['tools'] }), use(other, { on_failure: 'allow' })];
    const { status, body } = await put(ofAgent(), { rules: {}, filters: own.flatMap((policy) => policy.filters) });
    expect([status, body]).toMatchObject([
      200,
      {
        effective: {
          filters: [
            { plugin_id: one.id, points: ['input', 'tools'], on_failure: 'block' },
            { plugin_id: other.id, points: ['input'], on_failure: 'allow' },
          ],
        },
      },
    ]);
  });

  it('are refused when the plugin is of another type, of another project, unknown or named twice, and when there are too many guards', async () => {
    const plugin = await install();
    const tool = { name: 'A tool', type: 'tool', config: { url: upstream.url } };
    const { body } = await admin('POST', '/api/v1/plugins', { json: tool });
    const foreign = await install(stranger);
    const [entry] = use(plugin).filters;
    const refused = [
      use(body as Plugin),
      use(foreign),
      use({ ...plugin, id: 'pl_none' }),
      { rules: {}, filters: [entry, entry] },
      { rules: {}, filters: Array.from({ length: 6 }, (_, index) => ({ ...entry, plugin_id: `pl_${index}` })) },
      use(plugin, { points: [] }),
      use(plugin, { points: ['system'] }),
    ];
    for (const json of refused) {
      const { status, text } = await put('/api/v1/guards', json);
      expect([status, text.includes('filters')]).toEqual([422, true]);
    }
  });
});
