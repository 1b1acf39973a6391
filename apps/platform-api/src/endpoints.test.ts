import { KEY_SCOPES } from '@millwright/auth/key-scopes';
import { createDatabase, encodeId, newId } from '@millwright/db';
import { fromOtherProject, sweepEndpoints, sweepProjects, type SweepTarget } from '@millwright/http-testing';
import {
  createHttpClient,
  createTestDatabase,
  listen,
  type ListeningApp,
  type TestDatabase,
} from '@millwright/testing';
import { createRoutes } from './endpoints.js';
import { bearer, EVERY_SCOPE, KNOWN_MODEL, startPlatform, unconnected, type TestPlatform } from './test-platform.js';

// No database listens at this address. The tests read only the contracts of the routes, so no query is sent.
const nowhere = createDatabase({ url: 'postgresql://127.0.0.1:1/none', poolMax: 1 });
const contracts = createRoutes(unconnected(nowhere)).map(({ contract }) => contract);

let database: TestDatabase;
let platform: TestPlatform;
let upstream: ListeningApp;
let target: SweepTarget;
/**
 * Targets of the checks between projects. In `toMade`, a key of Core names records of a project that a platform admin made; in `fromMade`, a key of
 * that project names records of Core.
 */
let toMade: SweepTarget;
let fromMade: SweepTarget;

beforeAll(async () => {
  database = await createTestDatabase();
  upstream = await listen((_request, response) => response.end());
  platform = await startPlatform(database.url);
  await platform.db.prisma.project.create({ data: { id: 'research', name: 'Research' } });
  const scopes = ['*', ...KEY_SCOPES];
  const credential = bearer(await platform.issueKey({ admin: true, scopes }));
  const keysOf = {
    Core: createHttpClient(platform.url, credential),
    Commerce: await platform.clientOf('Commerce', { scopes }),
    research: await platform.clientOf('research', { scopes }),
  };
  const records = async (project: keyof typeof keysOf) => {
    const client = await platform.clientOf(project);
    const create = async (path: string, json: object) =>
      ((await client('POST', path, { json })).body as { id: string }).id;
    const skill = await create('/api/v1/skills', { name: 'Sum up', description: '', instructions: 'Sum up.' });
    const content = await create('/api/v1/content', { title: 'Handbook', body: 'Be kind.' });
    const config = { url: upstream.url };
    const server = await create('/api/v1/mcp/servers', { name: 'Tools', url: 'http://127.0.0.1:1/mcp' });
    const admin = await platform.clientOf(project, { admin: true });
    const createAs = async (path: string, json: object) =>
      ((await admin('POST', path, { json })).body as { id: string }).id;
    const webhook = await createAs('/api/v1/webhooks', { name: 'Hook', url: upstream.url });
    const agent = await create('/api/v1/agents', { name: 'Helper', description: '', skill_ids: [skill] });
    const { slug } = await platform.db.prisma.agent.findFirstOrThrow({ where: { project } });
    const post = { name: 'Post', kind: 'webhook', agent: slug, input: '{{message}}' };
    return {
      agent,
      trigger: await createAs('/api/v1/triggers', post),
      budget: await createAs('/api/v1/budgets', {
        name: 'All',
        level: 'project',
        period: 'month',
        unit: 'usd',
        amount: 5,
      }),
      model: await createAs('/api/v1/models', { name: 'Large', preset: 'compatible', base_url: upstream.url }),
      price: await createAs('/api/v1/model-prices', { model: KNOWN_MODEL, input: 1, output: 2 }),
      skill,
      content,
      server,
      webhook,
      delivery: await createAs(`/api/v1/webhooks/${webhook}/test`, {}),
      plugin: await create('/api/v1/plugins', { name: 'Weather', type: 'tool', config }),
      key: (
        (await keysOf[project]('POST', '/api/v1/keys', { json: { name: 'Made', scopes: ['skills:read'] } })).body as {
          id: string;
        }
      ).id,
      client: (
        (await keysOf[project]('POST', '/api/v1/clients', { json: { name: 'Made', scopes: ['skills:read'] } }))
          .body as {
          client_id: string;
        }
      ).client_id,
    };
  };
  const [own, commerce, research] = [await records('Core'), await records('Commerce'), await records('research')];
  const without = new Map<string, string>();
  for (const scope of EVERY_SCOPE) {
    without.set(scope, await platform.issueKey({ scopes: EVERY_SCOPE.filter((other) => other !== scope) }));
  }
  for (const scope of KEY_SCOPES) without.set(scope, await platform.issueKey());
  without.set('admin', await platform.issueKey({ scopes: EVERY_SCOPE }));
  const targetTo = async (foreign: typeof own): Promise<SweepTarget> => ({
    baseUrl: platform.url,
    tightUrl: platform.tightUrl,
    credential,
    wrongCredential: bearer(await platform.issueRevokedKey()),
    credentialWithout: (scope) => bearer(without.get(scope) ?? ''),
    params: {
      skill_id: { own: own.skill, foreign: foreign.skill, unknown: encodeId('sk', newId()) },
      content_id: { own: own.content, foreign: foreign.content, unknown: encodeId('ct', newId()) },
      version: { own: '1', foreign: '1000', unknown: '1001' },
      plugin_id: { own: own.plugin, foreign: foreign.plugin, unknown: encodeId('pl', newId()) },
      agent_id: { own: own.agent, foreign: foreign.agent, unknown: encodeId('ag', newId()) },
      server_id: { own: own.server, foreign: foreign.server, unknown: encodeId('ms', newId()) },
      webhook_id: { own: own.webhook, foreign: foreign.webhook, unknown: encodeId('wh', newId()) },
      delivery_id: { own: own.delivery, foreign: foreign.delivery, unknown: encodeId('dlv', newId()) },
      trigger_id: { own: own.trigger, foreign: foreign.trigger, unknown: encodeId('trg', newId()) },
      budget_id: { own: own.budget, foreign: foreign.budget, unknown: encodeId('bud', newId()) },
      model_id: { own: own.model, foreign: foreign.model, unknown: encodeId('mdl', newId()) },
      price_id: { own: own.price, foreign: foreign.price, unknown: encodeId('mpr', newId()) },
      key_id: { own: own.key, foreign: foreign.key, unknown: encodeId('key', newId()) },
      client_id: { own: own.client, foreign: foreign.client, unknown: 'mw_client_unknown' },
      name: { own: 'add', foreign: 'subtract', unknown: 'multiply' },
    },
    queries: { listTriggerTimes: { schedule: '0 9 * * MON-FRI', timezone: 'Europe/Berlin' } },
    bodies: {
      createModel: { name: 'Small', preset: 'compatible', base_url: upstream.url },
      testDraftModel: { name: 'Small', preset: 'compatible', base_url: upstream.url },
      makeChanges: { changes: [{ kind: 'skill', action: 'delete', id: encodeId('sk', newId()) }] },
      assignSkill: { skill_id: own.skill },
      approveTool: { hash: '0'.repeat(64) },
      putToolPolicy: { unmarked_tools: 'ask' },
      putToolRules: { rules: [{ name: 'add', hash: '0'.repeat(64), rule: 'ask' }] },
      putPluginRule: { rule: 'ask' },
      replayWebhook: { since: '2026-01-01T00:00:00Z' },
    },
  });
  [target, toMade] = [await targetTo(commerce), await targetTo(research)];
  const keyOfMade = await platform.issueKey({ project: 'research', admin: true, scopes });
  fromMade = {
    ...fromOtherProject(toMade, bearer(keyOfMade), ['version']),
    bodies: { ...toMade.bodies, assignSkill: { skill_id: research.skill } },
  };
});

afterAll(async () => {
  await platform.close();
  await Promise.all([database.drop(), upstream.close()]);
});

describe('every endpoint of the platform API', () => {
  it.each(sweepEndpoints({ area: 'platform', contracts, target: () => target }))(
    'keeps its contract: $title',
    ({ run }) => run(),
  );
});

describe('a project that a platform admin made', () => {
  const [to, from] = [() => toMade, () => fromMade];
  it.each(sweepProjects({ area: 'platform', contracts, target: to }))(
    'is not accessible with a key of Core: $title',
    ({ run }) => run(),
  );
  it.each(sweepProjects({ area: 'platform', contracts, target: from }))(
    'has keys that cannot access Core: $title',
    ({ run }) => run(),
  );
});

it('the endpoints of the platform API that make and change credentials require a scope that only API keys can have', () => {
  const granting = contracts.filter(({ grants }) => grants !== undefined && grants !== 'nothing');
  expect(granting.map(({ operationId, access }) => [operationId, access])).toEqual([
    ['createKey', { scope: 'keys:write' }],
    ['createClient', { scope: 'keys:write' }],
    ['updateClient', { scope: 'keys:write' }],
    ['rotateClientSecret', { scope: 'keys:write' }],
  ]);
});
