import { encodeId } from '@millwright/db';
import { createHttpClient, createTestDatabase, type TestDatabase } from '@millwright/testing';
import type { AccountRole, Project } from '@millwright/auth';
import { startConsole, type TestConsole } from '../test-console.js';
import { createAdminNetworks } from './admin-networks.js';

let database: TestDatabase;
let site: TestConsole;
beforeAll(async () => {
  database = await createTestDatabase();
  const settings = { TRUSTED_PROXY_HOPS: 1, SECURITY_ADMIN_NETWORKS_CORE: ['10.1.0.0/16', '2001:db8:1::/48'] };
  site = await startConsole(database.url, { settings });
});
afterAll(async () => {
  await site.close();
  await database.drop();
});

let count = 0;
/** Creates an account, and opens a session that is used from this address. */
async function sessionFrom(address: string, rights: { role?: AccountRole; project?: Project; platformAdmin?: true }) {
  const user = await site.addUser({ email: `person-${(count += 1)}@example.com`, ...rights });
  const { access } = await site.signIn(user);
  const cookie = `access_token=${access}`;
  return { user, client: createHttpClient(site.url, { cookie, 'x-forwarded-for': address }) };
}
const INSIDE = '10.1.2.3';
const OUTSIDE = '10.2.0.1';

describe('SECURITY_ADMIN_NETWORKS_CORE', () => {
  it.each<[string, string, Parameters<typeof sessionFrom>[1], number]>([
    ['admits an admin inside the networks', INSIDE, { role: 'admin' }, 200],
    ['admits an admin inside the networks with an IPv6 address', '2001:db8:1::7', { role: 'admin' }, 200],
    ['admits an admin inside the networks with a mapped address', `::ffff:${INSIDE}`, { role: 'admin' }, 200],
    ['refuses an admin outside', OUTSIDE, { role: 'admin' }, 403],
    ['refuses an admin outside with an IPv6 address', '2001:db8:2::7', { role: 'admin' }, 403],
    ['refuses an admin outside with a mapped address', `::ffff:${OUTSIDE}`, { role: 'admin' }, 403],
    ['refuses an admin with a malformed address', 'unknown', { role: 'admin' }, 403],
    ['refuses a platform admin outside', OUTSIDE, { role: 'admin', platformAdmin: true }, 403],
    ['refuses a project admin outside', OUTSIDE, { role: 'project_admin' }, 403],
    ['refuses an auditor outside', OUTSIDE, { role: 'auditor' }, 403],
    ['admits a user outside', OUTSIDE, { role: 'user' }, 200],
    ['admits an admin of Commerce outside', OUTSIDE, { role: 'admin', project: 'Commerce' }, 200],
  ])('applies to administrative accounts of Core: %s', async (_who, address, rights, status) => {
    const { client } = await sessionFrom(address, rights);
    const answer = await client('GET', '/admin/api/me');
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body).toMatchObject({ error: { code: 'network_refused' } });
  });

  it('refuses changes, forwarded calls and pages to an admin outside the networks; the page then shows the reason', async () => {
    const { client } = await sessionFrom(OUTSIDE, { role: 'admin' });
    const json = { name: 'x' };
    const answers = [
      await client('POST', '/admin/api/keys', { json }),
      await client('GET', '/admin/api/areas/platform/api/v1/agents'),
      await client('POST', '/admin/api/passkey/register/start', { json: {} }),
      await client('GET', '/bridge-auth/device-link'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    const page = await client('GET', '/admin/profile', { headers: { accept: 'text/html' } });
    expect([page.status, page.text.includes('from certain networks only')]).toEqual([403, true]);
  });

  it('allows an admin outside the networks to sign out and to read documents that require no session', async () => {
    const { client } = await sessionFrom(OUTSIDE, { role: 'admin' });
    expect((await client('GET', '/admin/.well-known/jwks.json')).status).toBe(200);
    expect((await client('GET', '/admin/openapi.json')).status).toBe(200);
    expect((await client('POST', '/admin/api/sign-out')).status).toBe(204);
  });

  it('records the refusals of an account at most once a minute', async () => {
    const { user, client } = await sessionFrom(OUTSIDE, { role: 'admin' });
    for (let n = 0; n < 5; n += 1) await client('GET', '/admin/api/me');
    const where = { action: 'session.network', resource: encodeId('usr', user.id) };
    const rows = await site.db.prisma.governanceDecision.findMany({ where });
    // There are two rows if a minute ends between the requests.
    expect(rows.length).toBeLessThanOrEqual(2);
    expect(rows[0]).toMatchObject({ decision: 'deny', user_id: user.id, reason: 'address outside the networks' });
  });

  it('applies to the current role of the account, not the role at sign-in', async () => {
    const { user, client } = await sessionFrom(OUTSIDE, { role: 'user' });
    expect((await client('GET', '/admin/api/me')).status).toBe(200);
    await site.db.prisma.user.update({ where: { id: user.id }, data: { role: 'admin' } });
    expect((await client('GET', '/admin/api/me')).status).toBe(403);
  });
});

describe('createAdminNetworks', () => {
  it.each([
    [[], '203.0.113.9', true],
    [['203.0.113.9'], '203.0.113.9', true],
    [['203.0.113.9'], '203.0.113.10', false],
    [['203.0.113.0/24', '2001:db8::/32'], '2001:db8:ffff::1', true],
    [['0.0.0.0/0'], '198.51.100.1', true],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['203.0.113.0/24'], '', false],
  ])('with the networks %j admits %s: %s', (networks, address, admitted) => {
    const isAllowed = createAdminNetworks({ SECURITY_ADMIN_NETWORKS_COMMERCE: networks });
    expect([isAllowed('Commerce', address), isAllowed('Core', address)]).toEqual([admitted, true]);
  });

  it('applies the networks of Core to projects that platform admins made', () => {
    const isAllowed = createAdminNetworks({
      SECURITY_ADMIN_NETWORKS_CORE: ['203.0.113.9'],
      SECURITY_ADMIN_NETWORKS_COMMERCE: ['198.51.100.1'],
    });
    const admitted = ['203.0.113.9', '198.51.100.1', ''].map((address) => isAllowed('research', address));
    expect(admitted).toEqual([true, false, false]);
  });
});
