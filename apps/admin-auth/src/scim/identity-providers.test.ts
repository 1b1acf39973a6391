import { createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';
import { scimClient, scimHeaders, scimIssuer, scimOnly } from './test-scim.js';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** One request of a client and its expected answer. `{name}` stands for an id from an earlier answer. */
interface Step {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: object;
  status: number;
  answer?: object;
  /** An attribute that the answer must not have. */
  without?: string;
  /** Name by which later steps refer to the id in the answer. */
  as?: string;
}

const found = (filter: string, totalResults: number, more: object = {}): Step => ({
  ...{ method: 'GET', path: '/Users', query: { filter }, status: 200, answer: { totalResults } },
  ...more,
});
const patch = (path: string, operations: object[], status: number, answer: object = {}): Step => ({
  ...{ method: 'PATCH', path, status, answer },
  body: { schemas: [PATCH_OP], Operations: operations },
});
const created = (as: string, path: string, body: object, answer: object = {}): Step => ({
  ...{ method: 'POST', path, body, status: 201, answer, as },
});

/** The requests of Microsoft Entra ID, as its guide to SCIM endpoints documents them. */
const ENTRA: readonly Step[] = [
  // The request of "Test connection" is for a user that does not exist.
  found('userName eq "9b1c5a4e-7a0b-4a57-8f4d-0b6b1c6a2f11"', 0, { answer: { totalResults: 0, Resources: [] } }),
  found('userName eq "Entra.User@example.com"', 0),
  created(
    'user',
    '/Users',
    {
      schemas: [`${CORE}:User`, ENTERPRISE],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: 'Entra.User@example.com',
      active: true,
      displayName: 'Entra User',
      emails: [{ primary: true, type: 'work', value: 'Entra.User@example.com' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Entra User', familyName: 'User', givenName: 'Entra' },
      roles: [],
      [ENTERPRISE]: { department: 'Research' },
    },
    { userName: 'Entra.User@example.com', externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef', active: true },
  ),
  { method: 'GET', path: '/Users/{user}', status: 200, answer: { meta: { resourceType: 'User' } } },
  found('userName eq "ENTRA.USER@EXAMPLE.COM"', 1),
  found('externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"', 1),
  found('emails[type eq "work"].value eq "entra.user@example.com"', 1),
  patch(
    '/Users/{user}',
    [
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'someone.else@example.com' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Sales' },
      { op: 'Replace', path: 'name.familyName', value: 'Person' },
      { op: 'Replace', path: 'name.givenName', value: 'Changed' },
    ],
    200,
    { userName: 'Entra.User@example.com', displayName: 'Changed Person' },
  ),
  patch('/Users/{user}', [{ op: 'Replace', path: 'displayName', value: 'Entra Renamed' }], 200, {
    displayName: 'Entra Renamed',
  }),
  patch('/Users/{user}', [{ op: 'Replace', path: 'userName', value: 'entra.renamed@example.com' }], 200, {
    userName: 'entra.renamed@example.com',
  }),
  {
    ...{ method: 'GET', path: '/Groups', query: { excludedAttributes: 'members', filter: 'displayName eq "Admins"' } },
    ...{ status: 200, answer: { totalResults: 0 } },
  },
  created('group', '/Groups', {
    schemas: [`${CORE}:Group`],
    externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
    displayName: 'Admins',
    meta: { resourceType: 'Group' },
    members: [],
  }),
  {
    ...{ method: 'GET', path: '/Groups/{group}', query: { excludedAttributes: 'members' }, status: 200 },
    answer: { displayName: 'Admins' },
    without: 'members',
  },
  patch('/Groups/{group}', [{ op: 'Add', path: 'members', value: [{ $ref: null, value: '{user}' }] }], 200, {
    members: [{ value: '{user}' }],
  }),
  {
    ...{ method: 'GET', path: '/Groups', status: 200, answer: { totalResults: 1, Resources: [{ id: '{group}' }] } },
    query: { filter: 'id eq "{group}" and members eq "{user}"', attributes: 'id' },
  },
  patch('/Groups/{group}', [{ op: 'Replace', path: 'displayName', value: 'Former admins' }], 200),
  {
    ...patch('/Groups/{group}', [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: '{user}' }] }], 200),
    without: 'members',
  },
  { method: 'DELETE', path: '/Groups/{group}', status: 204 },
  patch('/Users/{user}', [{ op: 'Replace', path: 'active', value: 'False' }], 200, { active: false }),
  patch('/Users/{user}', [{ op: 'Replace', path: 'active', value: 'True' }], 200, { active: true }),
  patch('/Users/{user}', [{ op: 'Replace', path: 'active', value: false }], 200, { active: false }),
  { method: 'DELETE', path: '/Users/{user}', status: 204 },
  { method: 'GET', path: '/Users/{user}', status: 404, answer: { status: '404' } },
];

const oktaUser = (more: object = {}) => ({
  schemas: [`${CORE}:User`],
  userName: 'okta.user@example.com',
  name: { givenName: 'Okta', familyName: 'User' },
  emails: [{ primary: true, value: 'okta.user@example.com', type: 'work' }],
  displayName: 'Okta User',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  groups: [],
  password: '1mz050nq',
  active: true,
  ...more,
});

/** The requests of Okta, as its reference of SCIM 2.0 documents them. */
const OKTA: readonly Step[] = [
  { method: 'GET', path: '/Users', query: { startIndex: '1', count: '2' }, status: 200, answer: { startIndex: 1 } },
  { method: 'GET', path: '/Groups', query: { startIndex: '1', count: '100' }, status: 200 },
  found('userName eq "okta.user@example.com"', 0, {
    query: { filter: 'userName eq "okta.user@example.com"', startIndex: '1', count: '100' },
  }),
  created('user', '/Users', oktaUser(), { displayName: 'Okta User' }),
  { method: 'POST', path: '/Users', body: oktaUser(), status: 409, answer: { scimType: 'uniqueness' } },
  { method: 'GET', path: '/Users/{user}', status: 200, answer: { emails: [{ primary: true }] } },
  {
    ...{ method: 'PUT', path: '/Users/{user}', status: 200, answer: { displayName: 'Okta Changed' } },
    body: oktaUser({ id: '{user}', displayName: 'Okta Changed', meta: { resourceType: 'User' } }),
  },
  created('group', '/Groups', { schemas: [`${CORE}:Group`], displayName: 'Shop', members: [] }),
  patch('/Groups/{group}', [{ op: 'add', path: 'members', value: [{ value: '{user}', display: 'okta.user' }] }], 200),
  patch('/Groups/{group}', [{ op: 'replace', value: { id: '{group}', displayName: 'Shop renamed' } }], 200, {
    displayName: 'Shop renamed',
    members: [{ value: '{user}' }],
  }),
  {
    ...patch('/Groups/{group}', [{ op: 'remove', path: 'members[value eq "{user}"]' }], 200),
    without: 'members',
  },
  {
    ...{ method: 'PUT', path: '/Groups/{group}', status: 200, answer: { members: [{ value: '{user}' }] } },
    body: {
      ...{ schemas: [`${CORE}:Group`], id: '{group}', displayName: 'Shop' },
      members: [{ value: '{user}', display: 'okta.user@example.com' }],
    },
  },
  { method: 'DELETE', path: '/Groups/{group}', status: 204 },
  patch('/Users/{user}', [{ op: 'replace', value: { active: false } }], 200, { active: false }),
  found('userName eq "okta.user@example.com"', 1, { answer: { Resources: [{ active: false }] } }),
  { method: 'PUT', path: '/Users/{user}', body: oktaUser({ active: true }), status: 200, answer: { active: true } },
  { method: 'GET', path: '/Users/usr_00000000000000000000000000', status: 404, answer: { status: '404' } },
];

let database: TestDatabase;
let site: TestConsole;
beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url, { sso: scimOnly(['entra', 'okta'].map((name) => scimIssuer(name))) });
  await site.addUser({ email: 'owner@example.com', role: 'admin' });
});
afterAll(async () => {
  await site.close();
  await database.drop();
});

/** Replaces each `{name}` in a value with the id from an earlier answer. */
function filled<Value>(value: Value, ids: ReadonlyMap<string, string>): Value {
  if (typeof value === 'string')
    return value.replaceAll(/\{(\w+)\}/g, (whole, name: string) => ids.get(name) ?? whole) as Value & string;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry: unknown) => filled(entry, ids)) as Value & unknown[];
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, filled(part as unknown, ids)])) as Value;
}

async function run(client: HttpClient, step: Step, ids: Map<string, string>): Promise<void> {
  const { method, path, query, body, status, answer = {}, without = 'password', as } = filled(step, ids);
  const search = query ? `?${new URLSearchParams(query).toString()}` : '';
  const sent = await client(method, `${path}${search}`, body ? { body: JSON.stringify(body) } : {});
  expect([method, path, sent.status, sent.text]).toEqual([method, path, status, expect.any(String)]);
  if (status !== 204) {
    expect(sent.headers.get('content-type')).toMatch('application/scim+json');
    expect(sent.body).toMatchObject(answer);
    expect(sent.body).not.toHaveProperty(without);
  }
  if (as !== undefined) ids.set(as, (sent.body as { id: string }).id);
}

describe('/scim/v2', () => {
  it.each([
    ['Microsoft Entra ID', 'entra', ENTRA],
    ['Okta', 'okta', OKTA],
  ])('answers the documented request sequence of %s', async (_name, issuer, steps) => {
    const client = scimClient(site.url, scimHeaders(issuer));
    const ids = new Map<string, string>();
    for (const step of steps) await run(client, step, ids);
  });

  it('returns exactly the attributes of its published schema', async () => {
    const client = scimClient(site.url, scimHeaders('entra'));
    const userName = 'schema@example.com';
    const body = JSON.stringify({ userName, externalId: 'x', displayName: 'Schema' });
    const user = (await client('POST', '/Users', { body })).body as Record<string, unknown>;
    const schema = (await client('GET', `/Schemas/${CORE}:User`)).body as { attributes: { name: string }[] };
    const common = ['schemas', 'id', 'externalId', 'meta'];
    const named = schema.attributes.map(({ name }) => name);
    expect(Object.keys(user).sort()).toEqual([...common, ...named].sort());
  });
});
