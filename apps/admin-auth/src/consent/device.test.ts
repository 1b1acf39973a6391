import { issueOAuthClient } from '@millwright/accounts';
import { hashUserCode, newUserCode } from '@millwright/auth/user-codes';
import { decodeId } from '@millwright/db';
import type { ConsentData, PageData } from '@millwright/pages';
import { createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { pageIn } from '../test-assets.js';
import { startConsole, type TestConsole } from '../test-console.js';
import { requestRow, storeRequest } from './test-requests.js';

let database: TestDatabase;
let site: TestConsole;
let client: HttpClient;
let clientId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url);
  const ada = await site.addUser({ email: 'ada@example.com' });
  ({ client } = await site.signIn(ada));
  const input = { userId: ada.id, name: 'CLI', redirectUris: [], scopes: ['*'], project: 'Core' as const };
  const actor = { userId: ada.id, kind: 'user', label: 'Ada' } as const;
  clientId = decodeId('cli', (await site.db.transaction((tx) => issueOAuthClient(tx, input, actor))).id) ?? '';
});
afterAll(async () => {
  await site.close();
  await database.drop();
});

/** Stores a device's authorization request, as the runtime API does. */
async function begun(expires?: number): Promise<string> {
  const request = await storeRequest(site.db, clientId, {
    redirect_uri: '',
    ...(expires !== undefined && { expires }),
  });
  const userCode = newUserCode();
  const { id } = await requestRow(site.db, request);
  const request_hash = new Uint8Array(hashUserCode(userCode) ?? []);
  await site.db.prisma.oAuthAuthorization.update({ where: { id }, data: { request_hash } });
  return userCode;
}
const enter = (user_code: string, by = client) =>
  by('POST', '/admin/device', {
    body: new URLSearchParams({ user_code }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const requestIn = (location: string | null) =>
  new URL(location ?? '', 'http://console.test').searchParams.get('request') ?? '';

describe('/admin/device', () => {
  it('shows the code that the address contains, and requires a session', async () => {
    const { status, text } = await client('GET', '/admin/device?user_code=BCDF-GHJK');
    expect([status, pageIn(text)]).toMatchObject([200, { name: 'user-code', data: { userCode: 'BCDF-GHJK' } }]);
    const answer = await fetch(`${site.url}/admin/device?user_code=BCDF-GHJK`, { redirect: 'manual' });
    const redirect = encodeURIComponent('/admin/device?user_code=BCDF-GHJK');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/admin/login?redirect=${redirect}`]);
    expect((await fetch(`${site.url}/admin/device`, { method: 'POST' })).status).toBe(401);
  });

  it('accepts a code once, and redirects to a consent page with a warning, even after an earlier consent', async () => {
    for (const spell of [(code: string) => code, (code: string) => ` ${code.toLowerCase().replace('-', '')} `]) {
      const userCode = await begun();
      const { status, headers } = await enter(spell(userCode));
      expect(status).toBe(303);
      const request = requestIn(headers.get('location'));
      const { data } = pageIn((await client('GET', `/admin/consent?request=${request}`)).text);
      expect(data as ConsentData).toMatchObject({ isDevice: true, isLocal: false, isRemembered: false });
      const { body } = await client('POST', '/admin/api/consents', { json: { request, decision: 'approve' } });
      expect(body).toEqual({ location: '/admin/device/done' });
      expect((await client('GET', '/admin/device/done')).status).toBe(200);
      expect(await requestRow(site.db, request)).toMatchObject({ granted: ['agents:read'] });
      expect((await enter(userCode)).status).toBe(404);
    }
  });

  it.each([
    ['unknown', () => Promise.resolve('BCDF-GHJK')],
    ['expired', () => begun(-1)],
    ['malformed', () => Promise.resolve('a'.repeat(500))],
    ['empty', () => Promise.resolve('')],
  ])('shows the form again when the code is %s', async (_name, code) => {
    const { status, text } = await enter(await code());
    expect(status).toBe(404);
    expect((pageIn(text).data as PageData['user-code']).isUnknown).toBe(true);
  });

  it('refuses a request from another site', async () => {
    const body = 'user_code=BCDF-GHJK';
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' };
    expect((await client('POST', '/admin/device', { body, headers })).status).toBe(403);
  });
});
