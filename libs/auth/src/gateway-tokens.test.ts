import { generateKeyPairSync } from 'node:crypto';
import type { Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import {
  isAdminScope,
  createGatewayVerifier,
  createTokenSigner,
  mintAreaToken,
  mintGatewayToken,
  SCOPES,
  type TokenArea,
} from './index.js';
import { publishSigningKey } from './signing-keys.js';
import { makeUser, openDatabase } from './test-users.js';

const ISSUER = 'http://console.test';
const AREAS: TokenArea[] = ['platform', 'runtime', 'prompt'];
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = { kid: 'ours', privateKey, publicJwk: publicKey.export({ format: 'jwk' }) };
const sign = createTokenSigner(key);

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  await publishSigningKey(db, 'admin-auth', key);
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

const verifierOf = (area: TokenArea) => createGatewayVerifier(db, { issuer: ISSUER, area });
const subjectOf = (userId: string, project: 'Core' | 'Commerce' = 'Core') => ({
  issuer: ISSUER,
  userId,
  sid: 's',
  project,
});

describe('gateway token', () => {
  it('is accepted by every service, with all scopes of its user and in the project of the user', async () => {
    const { id } = await makeUser(db, 'ann@example.com', { project: 'Commerce' });
    const token = mintGatewayToken(sign, subjectOf(id));
    for (const area of AREAS) {
      const principal = await verifierOf(area)(token);
      expect(principal).toMatchObject({
        user: { id, email: 'ann@example.com' },
        project: 'Commerce',
        roles: ['user'],
        credential: { kind: 'gateway_token', plan: 'standard' },
      });
      expect([...(principal?.scopes ?? [])]).toEqual(SCOPES.filter((scope) => !isAdminScope(scope)));
    }
  });

  it("has every scope in the project that an admin chose; after the admin becomes a user, it acts in the user's own project", async () => {
    const { id } = await makeUser(db, 'adm@example.com', { role: 'admin' });
    const verify = verifierOf('platform');
    const token = mintGatewayToken(sign, subjectOf(id, 'Commerce'));
    expect(await verify(token)).toMatchObject({ project: 'Commerce', scopes: new Set(SCOPES) });
    await db.prisma.user.update({ where: { id }, data: { role: 'user' } });
    const demoted = await verify(token);
    expect([demoted?.project, demoted?.scopes.has('admin')]).toEqual(['Core', false]);
  });

  it('has the same credential id on all devices of its user; a token of the console has another credential id', async () => {
    const { id } = await makeUser(db, 'ann@example.com');
    const verify = verifierOf('prompt');
    const ids = [];
    for (const token of [
      mintGatewayToken(sign, subjectOf(id)),
      mintGatewayToken(sign, { ...subjectOf(id), sid: 'other device' }),
      mintAreaToken(sign, subjectOf(id), 'prompt'),
    ])
      ids.push((await verify(token))?.credential.id);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it('is refused immediately when the account is disabled, and is still refused after the account is enabled again', async () => {
    const { id } = await makeUser(db, 'ann@example.com');
    const verify = verifierOf('runtime');
    const token = mintGatewayToken(sign, subjectOf(id));
    expect(await verify(token)).toBeDefined();
    await db.prisma.user.update({ where: { id }, data: { status: 'inactive', disabled_at: new Date() } });
    expect(await verify(token)).toBeUndefined();
    await db.prisma.user.update({ where: { id }, data: { status: 'active' } });
    expect(await verify(token)).toBeUndefined();
  });

  it.each([
    ['another issuer', { issuer: 'http://evil.test' }],
    ['the audience of a console token', { audience: ISSUER }],
    ['an unknown user', { subject: '018f0000-0000-7000-8000-000000000000' }],
    ['an expiry in the past', { expiresIn: -1 }],
  ])('is refused with %s', async (_case, change) => {
    const { id } = await makeUser(db, 'ann@example.com');
    const token = { issuer: ISSUER, audience: 'gateway', subject: id, scope: '*', sid: 's', expiresIn: 60 };
    const verify = verifierOf('platform');
    expect(await verify(sign(token))).toBeDefined();
    expect(await verify(sign({ ...token, ...change }))).toBeUndefined();
  });

  it('is refused when signed with the runtime API’s key', async () => {
    const { id } = await makeUser(db, 'ann@example.com');
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const runtimeKey = {
      kid: 'runtime',
      privateKey: pair.privateKey,
      publicJwk: pair.publicKey.export({ format: 'jwk' }),
    };
    await publishSigningKey(db, 'runtime-api', runtimeKey);
    const token = mintGatewayToken(createTokenSigner(runtimeKey), subjectOf(id));
    expect(await verifierOf('platform')(token)).toBeUndefined();
  });
});

describe('a token of the console for one service', () => {
  it('is accepted by this service alone, for five minutes', async () => {
    const { id } = await makeUser(db, 'ann@example.com');
    for (const area of AREAS) {
      const token = mintAreaToken(sign, subjectOf(id), area);
      const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
        exp: number;
        iat: number;
      };
      expect(payload.exp - payload.iat).toBe(300);
      const found = await Promise.all(AREAS.map(async (name) => (await verifierOf(name)(token)) !== undefined));
      expect(found).toEqual(AREAS.map((name) => name === area));
    }
  });
});
