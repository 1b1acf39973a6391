import { KEY_SCOPES } from '@millwright/auth/key-scopes';
import { createDatabase } from '@millwright/db';
import type { EndpointContract } from '@millwright/http';
import { createTestDatabase, listen, type HttpClient, type ListeningApp, type TestDatabase } from '@millwright/testing';
import { z } from 'zod';
import { createRoutes } from './endpoints.js';
import { startPlatform, unconnected, type TestPlatform } from './test-platform.js';

// No database listens at this address. The tests read only the contracts of the routes, so no query is sent.
const nowhere = createDatabase({ url: 'postgresql://127.0.0.1:1/none', poolMax: 1 });
const contracts = createRoutes(unconnected(nowhere)).map(({ contract }) => contract);

interface Field {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Field[];
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
}
interface Body {
  properties?: Record<string, Field>;
  required?: string[];
}

const bodyOf = ({ body }: EndpointContract) =>
  z.toJSONSchema(body ?? z.never(), { io: 'input', unrepresentable: 'any' }) as Body;
// Contracts whose body has fixed fields. The fields of a plugin's config depend on its type; plugins.test.ts covers them.
const withFields = contracts.filter(
  (contract) => contract.body && Object.keys(bodyOf(contract).properties ?? {}).length > 0,
);

/**
 * Returns invalid values for a field of this schema, each with the name of its fault. Returns none for a field that accepts any value
 * because the server ignores it.
 */
function wrongValues(field: Field): [string, unknown][] {
  const typesOf = ({ type }: Field) => (type === undefined ? [] : [type].flat());
  const own = field.anyOf?.find((one) => !typesOf(one).includes('null')) ?? field;
  const types = typesOf(own);
  const nullable = [field, ...(field.anyOf ?? [])].some((one) => typesOf(one).includes('null'));
  if (types.length === 0 && own.enum === undefined) return [];
  const wrong: [string, unknown][] = [['a wrong type', types.includes('object') ? [1] : { a: 1 }]];
  if (!nullable) wrong.push(['null', null]);
  if (!types.includes('string')) wrong.push(['text', 'yes']);
  if (own.enum) wrong.push(['not one of its values', 'colour']);
  if ((own.minLength ?? 0) > 0) wrong.push(['empty', '']);
  if (own.maxLength !== undefined) wrong.push(['too long', 'x'.repeat(own.maxLength + 1)]);
  if (own.maxItems !== undefined) wrong.push(['too many', Array.from({ length: own.maxItems + 1 }, (_, n) => `${n}`)]);
  return wrong;
}

const OWNED = { id: 'sk_x', created_at: 'x', updated_at: 1, project: 'Commerce', owner: null };

let database: TestDatabase;
let platform: TestPlatform;
let upstream: ListeningApp;
let client: HttpClient;
const ids: Record<string, string> = { name: 'add' };

beforeAll(async () => {
  database = await createTestDatabase();
  upstream = await listen((_request, response) => response.end());
  platform = await startPlatform(database.url);
  client = await platform.clientOf('Core', { admin: true, scopes: ['*', ...KEY_SCOPES] });
  const create = async (param: string, path: string, json: object) => {
    ids[param] = ((await client('POST', path, { json })).body as { id: string }).id;
  };
  await create('skill_id', '/api/v1/skills', { name: 'Add', description: '', instructions: 'Add.' });
  await create('agent_id', '/api/v1/agents', { name: 'Helper', description: '' });
  await create('content_id', '/api/v1/content', { title: 'Handbook', body: 'Be kind.' });
  await create('plugin_id', '/api/v1/plugins', { name: 'Weather', type: 'tool', config: { url: upstream.url } });
  await create('webhook_id', '/api/v1/webhooks', { name: 'Receiver', url: upstream.url });
  const schedule = { kind: 'cron', schedule: '0 9 * * *' };
  await create('trigger_id', '/api/v1/triggers', { name: 'Report', agent: 'helper', input: 'Report.', ...schedule });
  const limit = { level: 'project', period: 'month', unit: 'tokens', amount: 10 };
  await create('budget_id', '/api/v1/budgets', { name: 'All', ...limit });
  const model = { name: 'Large', preset: 'compatible', base_url: upstream.url };
  await create('model_id', '/api/v1/models', model);
  const app = await client('POST', '/api/v1/clients', { json: { name: 'App', scopes: ['skills:read'] } });
  ids['client_id'] = (app.body as { client_id: string }).client_id;
  await create('server_id', '/api/v1/mcp/servers', { name: 'Tools', url: 'http://127.0.0.1:1/mcp' });
});
afterAll(async () => {
  await platform.close();
  await Promise.all([database.drop(), upstream.close()]);
});

describe.each(withFields.map((contract) => [`${contract.method} ${contract.path}`, contract] as const))(
  '%s',
  (_title, contract) => {
    const { properties = {}, required = [] } = bodyOf(contract);
    const send = async (json: object) => {
      const path = contract.path.replaceAll(/\{(\w+)\}/g, (_whole, param: string) => ids[param] ?? '');
      const { status, body } = await client(contract.method, path, { json });
      return { status, message: (body as { error?: { message: string } }).error?.message ?? '' };
    };
    /** Whether the message names the field, or a value in the field. */
    const names = (message: string, field: string) =>
      [': ', '.'].some((end) => ` ${message}`.includes(` ${field}${end}`));

    it('answers 422 naming the field for each invalid value', async () => {
      const unnamed: string[] = [];
      for (const [field, schema] of Object.entries(properties))
        for (const [what, value] of wrongValues(schema)) {
          const { status, message } = await send({ [field]: value });
          if (status !== 422 || !names(message, field)) unnamed.push(`${field}, ${what}: ${status} ${message}`);
        }
      expect(unnamed).toEqual([]);
    });

    it('answers 422 naming each missing and each unknown field', async () => {
      const { status, message } = await send({ colour: 'red' });
      expect(status).toBe(422);
      expect([...required, 'colour'].filter((field) => !names(message, field))).toEqual([]);
    });

    it('accepts and ignores the fields that the server sets', async () => {
      const { status, message } = await send({ ...OWNED, colour: 'red' });
      expect(status).toBe(422);
      expect(Object.keys(OWNED).filter((field) => names(message, field))).toEqual([]);
    });
  },
);
