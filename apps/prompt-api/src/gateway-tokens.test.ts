import { generateKeyPairSync } from 'node:crypto';
import { createUser, disableUser } from '@millwright/accounts';
import { createTokenSigner, mintAreaToken, mintGatewayToken } from '@millwright/auth';
import { publishSigningKey } from '@millwright/auth/signing-keys';
import { BASE_URL, startTestApp, type TestApp } from './test-app.js';

let app: TestApp;
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = { kid: 'admin', privateKey, publicJwk: publicKey.export({ format: 'jwk' }) };
const sign = createTokenSigner(key);

beforeAll(async () => {
  app = await startTestApp();
  await publishSigningKey(app.db, 'admin-auth', key);
});
afterAll(() => app.close());

const subjectOf = (userId: string) => ({ issuer: BASE_URL, userId, sid: 's', project: 'Core' as const });
const list = (token: string) => app.call('GET', '/v1/prompt', { key: token });

describe('gateway tokens at the prompt API', () => {
  it('are accepted in api-key and as Bearer, as are the console’s tokens for the prompt API', async () => {
    const token = mintGatewayToken(sign, subjectOf(app.author.id));
    expect((await list(token)).status).toBe(200);
    const headers = { authorization: `Bearer ${token}` };
    expect((await app.call('GET', '/v1/prompt', { key: '', headers })).status).toBe(200);
    expect((await list(mintAreaToken(sign, subjectOf(app.author.id), 'prompt'))).status).toBe(200);
  });

  it('are refused with 403, like a wrong key, when they name another service or another installation', async () => {
    const subject = subjectOf(app.author.id);
    for (const token of [
      mintAreaToken(sign, subject, 'platform'),
      mintGatewayToken(sign, { ...subject, issuer: 'http://evil.test' }),
    ])
      expect((await list(token)).status).toBe(403);
  });

  it('are refused from the next request on once the account is disabled', async () => {
    const user = {
      email: 'leaver@example.com',
      name: 'Leaver',
      role: 'user',
      platformAdmin: false,
      project: 'Core',
    } as const;
    await app.db.transaction((tx) => createUser(tx, user));
    const { id } = await app.db.prisma.user.findUniqueOrThrow({ where: { email: user.email } });
    const token = mintGatewayToken(sign, subjectOf(id));
    expect((await list(token)).status).toBe(200);
    const actor = { userId: id, kind: 'user', label: 'Leaver' } as const;
    await app.db.transaction((tx) => disableUser(tx, id, actor, () => undefined));
    expect((await list(token)).status).toBe(403);
  });
});
