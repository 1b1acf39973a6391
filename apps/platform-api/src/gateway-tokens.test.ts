import { generateKeyPairSync } from 'node:crypto';
import { disableUser } from '@millwright/accounts';
import { createTokenSigner, mintAreaToken, mintGatewayToken } from '@millwright/auth';
import { publishSigningKey } from '@millwright/auth/signing-keys';
import { createHttpClient } from '@millwright/testing';
import { usePlatform } from './test-use-platform.js';

const { platform } = usePlatform();
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = { kid: 'admin', privateKey, publicJwk: publicKey.export({ format: 'jwk' }) };
const sign = createTokenSigner(key);

beforeAll(() => publishSigningKey(platform.db, 'admin-auth', key));

const subject = () => ({
  issuer: 'http://platform.test',
  userId: platform.user.id,
  sid: 's',
  project: 'Core' as const,
});
const listSkills = (token: string) =>
  createHttpClient(platform.url, { authorization: `Bearer ${token}` })('GET', '/api/v1/skills');

describe('the platform API', () => {
  it('accepts its gateway tokens and console tokens, with the limit of the standard plan', async () => {
    for (const token of [mintGatewayToken(sign, subject()), mintAreaToken(sign, subject(), 'platform')])
      expect((await listSkills(token)).status).toBe(200);
    const tight = createHttpClient(platform.tightUrl, { authorization: `Bearer ${mintGatewayToken(sign, subject())}` });
    expect((await tight('GET', '/api/v1/skills')).headers.get('x-ratelimit-limit')).toBe('1');
  });

  it('refuses tokens for another service or of another installation', async () => {
    expect((await listSkills(mintAreaToken(sign, subject(), 'runtime'))).status).toBe(401);
    expect((await listSkills(mintGatewayToken(sign, { ...subject(), issuer: 'http://evil.test' }))).status).toBe(401);
  });

  it('records changes with such a token as changes of its user', async () => {
    const client = createHttpClient(platform.url, { authorization: `Bearer ${mintGatewayToken(sign, subject())}` });
    const { body } = await client('POST', '/api/v1/skills', {
      json: { name: 'By token', description: '', instructions: 'x' },
    });
    expect(await platform.decisionsOn((body as { id: string }).id)).toMatchObject([
      { action: 'skill.create', user_id: platform.user.id, actor_id: 'Ada' },
    ]);
  });

  it('refuses such tokens from the first request after the account is disabled', async () => {
    const token = mintGatewayToken(sign, subject());
    expect((await listSkills(token)).status).toBe(200);
    const actor = { userId: platform.user.id, kind: 'user', label: platform.user.name } as const;
    await platform.db.transaction((tx) => disableUser(tx, platform.user.id, actor, () => undefined));
    expect((await listSkills(token)).status).toBe(401);
  });
});
