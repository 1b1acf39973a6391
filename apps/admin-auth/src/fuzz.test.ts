import { fuzzArea, fuzzSettings } from '@millwright/http-testing/fuzz';
import { createHttpClient, createTestDatabase, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from './test-console.js';
import { addRecords, setProof } from './test-records.js';

let database: TestDatabase;
let site: TestConsole;
beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url);
});
afterAll(async () => {
  await site.close();
  await database.drop();
});

const settings = fuzzSettings();

/** A platform admin with a lasting proof, and records that are theirs or another account's. */
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

describe('admin-auth under generated requests', () => {
  it(
    'answers each request as described in its document, and none with a server error',
    async () => {
      const document = (await createHttpClient(site.url)('GET', '/admin/openapi.json')).body as object;
      const report = await fuzzArea({ document, baseUrl: site.url, ...(await seed()), ...settings });
      process.stdout.write(`admin-auth fuzzed: seed ${settings.seed}, ${JSON.stringify(report)}\n`);
      expect(report.sent).toBeGreaterThanOrEqual(settings.requests);
      expect(report.answers['valid 2xx']).toBeGreaterThan(0);
    },
    settings.timeoutMs,
  );
});
