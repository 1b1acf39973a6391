import { fuzzArea, fuzzSettings } from '@millwright/http-testing/fuzz';
import type { ApiDocument } from '@millwright/http/reference';
import { createHttpClient, createTestDatabase, type TestDatabase } from '@millwright/testing';
import { scimClient, scimHeaders, scimIssuer, scimOnly } from './scim/test-scim.js';
import { startConsole, type TestConsole } from './test-console.js';
import { addRecords, setProof } from './test-records.js';

let database: TestDatabase;
let site: TestConsole;
beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url, { sso: scimOnly([scimIssuer('one')]) });
});
afterAll(async () => {
  await site.close();
  await database.drop();
});

const settings = fuzzSettings();

/** Creates a platform admin whose proof stays recent, records of this admin, and records of another account. */
async function seed() {
  const email = 'fuzz@example.com';
  const owner = { ...(await site.addUser({ email, role: 'admin', platformAdmin: true })), email };
  const own = await addRecords(site, owner);
  const other = await site.addUser({ email: 'other@example.com' });
  const others = await addRecords(site, { ...other, email: 'other@example.com' });
  const { access, sessionId } = await site.signIn(owner);
  await setProof(site, sessionId, 'lasting');
  const { items } = (await createHttpClient(site.url, { cookie: `access_token=${access}` })('GET', '/admin/api/audit'))
    .body as { items: { id: string }[] };
  return {
    credential: { cookie: `access_token=${access}` },
    known: {
      '/admin/api/users': [others.user_id],
      '/admin/api/sessions': [own.session_id],
      '/admin/api/passkeys': [own.passkey_id],
      '/admin/api/keys': [own.key_id],
      '/admin/api/clients': [own.client_id],
      '/admin/api/devices': [own.device_id],
      '/admin/api/consents': [own.consent_id],
    },
    examples: {
      email: Array.from({ length: 50 }, (_value, n) => `person-${n}@example.com`),
      redirect_uris: [[], ['https://app.example/cb']],
      scopes: [['*'], ['agents:read']],
      mcp_tools: [[], ['*']],
      project: ['Core'],
      '{project}': ['Core', 'Commerce'],
      '{decision_id}': items.map(({ id }) => id).slice(0, 5),
      '{name}': ['seal-audit'],
    },
  };
}

/** Returns the OpenAPI document with only the operations of provisioning clients, or with all other operations. */
async function documentWith(provisioning: boolean): Promise<ApiDocument> {
  const document = (await createHttpClient(site.url)('GET', '/admin/openapi.json')).body as ApiDocument;
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/scim/') === provisioning);
  return { ...document, paths: Object.fromEntries(paths) };
}

/** Creates users and groups of a provisioning client, and returns bodies of its usual requests. */
async function seedProvisioning() {
  await site.addUser({ email: 'owner@example.com', role: 'admin' });
  const client = scimClient(site.url, scimHeaders('one'));
  const created = async (path: string, body: object) =>
    ((await client('POST', path, { body: JSON.stringify(body) })).body as { id: string }).id;
  const users = await Promise.all(
    ['a', 'b', 'c'].map((name) => created('/Users', { userName: `scim-${name}@example.com` })),
  );
  const members = users.map((value) => ({ value }));
  const groups = await Promise.all(
    ['Admins', 'Others'].map((displayName) => created('/Groups', { displayName, members })),
  );
  const patches = (...operations: object[]) => operations.map((operation) => ({ Operations: [operation] }));
  return {
    credential: scimHeaders('one'),
    known: { '/scim/v2/Users': users, '/scim/v2/Groups': groups },
    examples: {
      '{scim_user_id}': users,
      '{scim_group_id}': groups,
      '{document_id}': ['User', 'urn:ietf:params:scim:schemas:core:2.0:Group'],
      createScimUser: Array.from({ length: 50 }, (_value, n) => ({
        userName: `new-${n}@example.com`,
        active: n % 2 === 0,
      })),
      replaceScimUser: [{ userName: 'scim-a@example.com' }, { userName: 'scim-b@example.com', active: 'False' }],
      patchScimUser: patches(
        { op: 'Replace', path: 'active', value: 'True' },
        { op: 'add', value: { externalId: 'e', 'name.givenName': 'A' } },
        { op: 'remove', path: 'externalId' },
      ),
      createScimGroup: Array.from({ length: 50 }, (_value, n) => ({ displayName: `Group ${n}`, members })),
      replaceScimGroup: [{ displayName: 'Admins', members }, { displayName: 'Shop' }],
      patchScimGroup: patches(
        { op: 'add', path: 'members', value: members },
        { op: 'remove', path: `members[value eq "${users[0] ?? ''}"]` },
      ),
    },
  };
}

describe('admin-auth under generated requests', () => {
  it(
    'answers each request as its OpenAPI document describes, and no request with a server error',
    async () => {
      const document = await documentWith(false);
      const report = await fuzzArea({ document, baseUrl: site.url, ...(await seed()), ...settings });
      process.stdout.write(`admin-auth fuzzed: seed ${settings.seed}, ${JSON.stringify(report)}\n`);
      expect(report.sent).toBeGreaterThanOrEqual(settings.requests);
      expect(report.answers['valid 2xx']).toBeGreaterThan(0);
    },
    settings.timeoutMs,
  );

  it(
    'answers each request of a provisioning client as its OpenAPI document describes, and none with a server error',
    async () => {
      const document = await documentWith(true);
      const report = await fuzzArea({ document, baseUrl: site.url, ...(await seedProvisioning()), ...settings });
      process.stdout.write(`provisioning fuzzed: seed ${settings.seed}, ${JSON.stringify(report)}\n`);
      expect(report.sent).toBeGreaterThanOrEqual(settings.requests);
      expect(report.answers['valid 2xx']).toBeGreaterThan(0);
    },
    settings.timeoutMs,
  );
});
