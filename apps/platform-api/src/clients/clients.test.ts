import { randomUUID } from 'node:crypto';
import {
  approveOAuthClient,
  createUser,
  disableUser,
  issueApiKey,
  issueOAuthClient,
  revokeApiKey,
  type NewApiKey,
  type NewOAuthClient,
} from '@millwright/accounts';
import { hashSecret, type Project } from '@millwright/auth';
import { encodeId } from '@millwright/db';
import { createHttpClient, type HttpClient } from '@millwright/testing';
import { bearer } from '../test-platform.js';
import { usePlatform } from '../test-use-platform.js';

const { platform } = usePlatform();
const DAY_MS = 86_400_000;
const SCOPES = ['skills:read', 'content:read', 'keys:read', 'keys:write'];
const CALLBACK = 'https://app.example.com/callback';

async function newUser(role: 'user' | 'admin' = 'user', project: Project = 'Core'): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  await platform.db.transaction((tx) => createUser(tx, { email, name: 'Owner', role, platformAdmin: false, project }));
  return (await platform.db.prisma.user.findUniqueOrThrow({ where: { email } })).id;
}

interface Key {
  id: string;
  userId: string;
  client: HttpClient;
}

const actorOf = (userId: string) => ({ userId, kind: 'user', label: 'Owner' }) as const;

/** Makes a key as the console does, by default for a new account. */
async function keyWith(wanted: Partial<NewApiKey> = {}): Promise<Key> {
  const userId = wanted.userId ?? (await newUser());
  const made = { name: 'Terraform', scopes: SCOPES, plan: 'standard', project: 'Core', ...wanted, userId } as const;
  const { id, key } = await platform.db.transaction((tx) => issueApiKey(tx, made, actorOf(userId)));
  return { id, userId, client: createHttpClient(platform.url, bearer(key)) };
}

/** Makes a client as the console does. */
const consoleClient = (userId: string, wanted: Partial<NewOAuthClient> = {}) =>
  platform.db.transaction((tx) =>
    issueOAuthClient(
      tx,
      { userId, name: 'Console', redirectUris: [], scopes: ['skills:read'], project: 'Core', ...wanted },
      actorOf(userId),
    ),
  );

interface Made {
  client_id: string;
  client_secret: string;
  redirect_uris: string[];
  scopes: string[];
  mcp_tools: string[];
  project: string;
  expires_at: string | null;
}
const PATH = '/api/v1/clients';
const make = ({ client }: Key, json: object = {}, headers: Record<string, string> = {}) =>
  client('POST', PATH, { json: { name: 'App', scopes: ['skills:read'], ...json }, headers });
async function made(key: Key, json?: object): Promise<Made> {
  const { status, body, text } = await make(key, json);
  expect([status, text]).toEqual([201, text]);
  return body as Made;
}
const rotate = ({ client }: Key, clientId: string, json: object = {}, headers: Record<string, string> = {}) =>
  client('POST', `${PATH}/${clientId}/rotate-secret`, { json, headers });
const change = ({ client }: Key, clientId: string, json: object) => client('PATCH', `${PATH}/${clientId}`, { json });
const read = ({ client }: Key, clientId: string) => client('GET', `${PATH}/${clientId}`);
const remove = ({ client }: Key, clientId: string) => client('DELETE', `${PATH}/${clientId}`);
/** Audit rows of a client, oldest first. */
const decisionsOf = async (clientId: string) => platform.decisionsOn(encodeId('cli', (await rowOf(clientId)).id));
const rowOf = (clientId: string) =>
  platform.db.prisma.oAuthClient.findUniqueOrThrow({ where: { client_id: clientId } });
const hashOf = (text: string) => Buffer.from(hashSecret(text)).toString('hex');
const refusal = (field: string, reason: string) => ({
  error: { code: 'validation_error', message: expect.stringContaining(`${field}: ${reason}`) as string },
});
const daysUntil = (time: string | null) => Math.round((Date.parse(time ?? '') - Date.now()) / DAY_MS);

describe('POST /api/v1/clients', () => {
  it('makes a client with the owner and project of the key; only this answer contains the secret of the client', async () => {
    const key = await keyWith();
    const issued = await made(key, { redirect_uris: [CALLBACK], mcp_tools: ['orders/*'] });
    expect(issued).toMatchObject({
      ...{ name: 'App', redirect_uris: [CALLBACK], scopes: ['skills:read'], mcp_tools: ['orders/*'] },
      ...{ project: 'Core', expires_at: null, client_secret: expect.stringMatching(/^mw_secret_/) as string },
    });
    const row = await rowOf(issued.client_id);
    expect([row.user_id, row.kind, row.project, row.made_by_key]).toEqual([key.userId, 'settings', 'Core', true]);
    expect(Buffer.from(row.secret_hash ?? []).toString('hex')).toBe(hashOf(issued.client_secret));
    const shown = await read(key, issued.client_id);
    const { client_secret, ...rest } = issued;
    expect([shown.status, shown.body]).toEqual([200, rest]);
    expect(client_secret).toBeTruthy();
  });

  it('makes a client that can use every tool and has no redirect URIs, unless the request names tools or redirect URIs', async () => {
    expect(await made(await keyWith())).toMatchObject({ mcp_tools: ['*'], redirect_uris: [] });
  });

  it('records the user who created the client, and the key of the request', async () => {
    const key = await keyWith();
    const { client_id } = await made(key);
    expect(await decisionsOf(client_id)).toMatchObject([
      {
        ...{ action: 'oauth_client.create', decision: 'allow', project: 'Core', user_id: key.userId },
        detail: { parent: key.id, name: 'App', scopes: ['skills:read'], mcp_tools: ['*'] },
      },
    ]);
  });

  it.each([
    ['a scope that the key lacks', ['skills:read', 'agents:write'], 'agents:write is not a scope of the key'],
    ['an unknown scope', ['skills:*'], '"skills:*" is not a scope'],
    ['*', ['*'], '* is given in the console only'],
    ['keys:write', ['keys:write'], '"keys:write" is not a scope of OAuth clients'],
    ['keys:read', ['keys:read'], '"keys:read" is not a scope of OAuth clients'],
    ['a scope of admins', ['admin'], 'admin is given in the console only'],
    ['no scope', [], 'must not be empty'],
  ])('refuses %s', async (_what, scopes, reason) => {
    const { status, body } = await make(await keyWith(), { scopes });
    expect([status, body]).toMatchObject([422, refusal('scopes', reason)]);
  });

  it('lets a key with the scope * grant scopes by name, except scopes of admins', async () => {
    const key = await keyWith({ scopes: ['*', 'keys:write'], userId: await newUser('admin') });
    expect((await made(key, { scopes: ['agents:write', 'runs:approve'] })).scopes).toEqual([
      'agents:write',
      'runs:approve',
    ]);
    for (const scope of ['*', 'users:read', 'users:write', 'runs:read_all', 'admin'])
      expect([scope, (await make(key, { scopes: [scope] })).status]).toEqual([scope, 422]);
  });

  it.each([
    ['redirect_uris', ['http://app.example.com/callback'], 'is not an https or loopback http URL'],
    ['redirect_uris', ['https://app.example.com/#top'], 'is not an https or loopback http URL'],
    ['mcp_tools', ['orders'], 'is not "*", "server/*" or "server/tool"'],
    ['name', 'two\nlines', 'must have no control characters'],
  ])('refuses %s %j', async (field, value, reason) => {
    const { status, body } = await make(await keyWith(), { [field]: value });
    expect([status, (body as { error: { message: string } }).error.message]).toEqual([
      422,
      expect.stringMatching(new RegExp(`${field}.*${reason.replaceAll(/[*?"/]/g, '.')}`)),
    ]);
  });

  it('makes a client that expires no later than the key of the request, and by default at the same time as this key', async () => {
    const expiresAt = new Date(Date.now() + 10 * DAY_MS);
    const key = await keyWith({ expiresAt });
    for (const expires_in_days of [11, null]) {
      const { status, body } = await make(key, { expires_in_days });
      const reason = `must end by ${expiresAt.toISOString()}`;
      expect([status, body]).toMatchObject([422, refusal('expires_in_days', reason)]);
    }
    expect((await made(key)).expires_at).toBe(expiresAt.toISOString());
    expect(daysUntil((await made(key, { expires_in_days: 9 })).expires_at)).toBe(9);
    expect(daysUntil((await made(await keyWith(), { expires_in_days: 400 })).expires_at)).toBe(400);
  });

  it('ignores a project in the request, and answers 422 to a request with an owner, a kind or grant types', async () => {
    const key = await keyWith({ userId: await newUser('admin') });
    expect((await made(key, { project: 'Commerce' })).project).toBe('Core');
    for (const field of [{ kind: 'registered' }, { user_id: platform.user.id }, { grant_types: [] }])
      expect([field, (await make(key, field)).status]).toEqual([field, 422]);
  });

  it('refuses the 21st client of an account, also with concurrent requests', async () => {
    const key = await keyWith();
    for (let n = 0; n < 19; n++) await consoleClient(key.userId);
    const statuses = await Promise.all(Array.from({ length: 4 }, async () => (await make(key)).status));
    expect(statuses.sort()).toEqual([201, 409, 409, 409]);
  });

  it('requires a key that lists keys:write by name; the scope * is not enough', async () => {
    for (const scopes of [['*'], ['keys:read', 'skills:read']]) {
      const refused = await make(await keyWith({ scopes }));
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
        403,
        'Bearer error="insufficient_scope", scope="keys:write"',
      ]);
    }
  });

  it('returns the same client secret when a request is repeated, and stores this secret only encrypted', async () => {
    const key = await keyWith();
    const headers = { 'idempotency-key': 'terraform-1' };
    const first = await make(key, {}, headers);
    const again = await make(key, {}, headers);
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const { client_id, client_secret } = first.body as Made;
    const stored = JSON.stringify(await platform.db.prisma.idempotencyKey.findMany());
    expect(stored).toContain(client_id);
    expect(stored).not.toContain(client_secret.slice(-30));
    expect((await make(key, { name: 'Other' }, headers)).status).toBe(409);
  });
});

describe('GET /api/v1/clients', () => {
  it("lists the owner's clients in the project, without secrets and without revoked clients", async () => {
    const key = await keyWith({ userId: await newUser('admin') });
    const elsewhere = await keyWith({ userId: key.userId, project: 'Commerce' });
    const others = [await made(elsewhere), await made(await keyWith())];
    const [first, second, revoked] = [await made(key), await made(key), await made(key)];
    await remove(key, revoked.client_id);
    const { body, text } = await key.client('GET', PATH);
    expect((body as { items: Made[] }).items.map(({ client_id }) => client_id)).toEqual([
      second.client_id,
      first.client_id,
    ]);
    for (const secret of [first.client_secret, 'secret']) expect(text).not.toContain(secret);
    for (const { client_id } of [...others, revoked]) expect((await read(key, client_id)).status).toBe(404);
  });

  it('requires keys:read', async () => {
    const key = await keyWith({ scopes: ['*', 'keys:write'] });
    const { client_id } = await made(key);
    expect([(await key.client('GET', PATH)).status, (await read(key, client_id)).status]).toEqual([403, 403]);
  });
});

describe('PATCH /api/v1/clients/{client_id}', () => {
  it('changes name, redirect URIs and tools, and records the key that made the change', async () => {
    const key = await keyWith();
    const { client_id } = await made(key);
    const changes = { name: 'Shop', redirect_uris: [CALLBACK], mcp_tools: [] };
    const { status, body } = await change(key, client_id, changes);
    expect([status, body]).toMatchObject([200, { client_id, ...changes, scopes: ['skills:read'] }]);
    expect((await read(key, client_id)).body).toMatchObject(changes);
    const [, row] = await decisionsOf(client_id);
    expect(row).toMatchObject({ action: 'oauth_client.update', detail: { ...changes, by: key.id } });
  });

  it('changes neither scopes nor expiry', async () => {
    const key = await keyWith();
    const { client_id } = await made(key);
    for (const field of [{ scopes: ['content:read'] }, { expires_at: null }, { expires_in_days: 5 }])
      expect([field, (await change(key, client_id, field)).status]).toEqual([field, 422]);
  });

  it('sets made_by_key of a client that was made in the console; the client then has no rights from the role of its owner', async () => {
    const key = await keyWith({ userId: await newUser('admin') });
    const { client_id } = await consoleClient(key.userId);
    await rotate(key, client_id);
    expect((await rowOf(client_id)).made_by_key).toBe(false);
    await change(key, client_id, { redirect_uris: [CALLBACK] });
    expect((await rowOf(client_id)).made_by_key).toBe(true);
  });

  it("removes an admin's approval of the client, because the client has changed", async () => {
    const key = await keyWith();
    const { client_id } = await made(key);
    const admin = actorOf(await newUser('admin'));
    await platform.db.transaction((tx) => approveOAuthClient(tx, client_id, admin));
    await change(key, client_id, { redirect_uris: [CALLBACK] });
    expect((await rowOf(client_id)).approved_at).toBeNull();
  });
});

describe('POST /api/v1/clients/{client_id}/rotate-secret', () => {
  it('returns a new secret; the former secret stays valid for 24 hours or for the overlap_hours of the request', async () => {
    const key = await keyWith();
    const former = await made(key);
    const { status, body } = await rotate(key, former.client_id);
    const rotated = body as Made;
    expect([status, rotated.client_id]).toEqual([200, former.client_id]);
    expect(rotated.client_secret).not.toBe(former.client_secret);
    const row = await rowOf(former.client_id);
    const hashes = [row.secret_hash, row.previous_secret_hash].map((hash) => Buffer.from(hash ?? []).toString('hex'));
    expect(hashes).toEqual([hashOf(rotated.client_secret), hashOf(former.client_secret)]);
    expect(daysUntil(row.previous_secret_until?.toISOString() ?? null)).toBe(1);
    const [, decision] = await decisionsOf(former.client_id);
    expect(decision).toMatchObject({ action: 'oauth_client.rotate', detail: { overlap_hours: 24, by: key.id } });
    await rotate(key, former.client_id, { overlap_hours: 0 });
    expect((await rowOf(former.client_id)).previous_secret_hash).toBeNull();
  });

  it('sets a new expiry of the client, even if the client has expired; the new expiry is no later than that of the key', async () => {
    const key = await keyWith({ expiresAt: new Date(Date.now() + 10 * DAY_MS) });
    const { client_id } = await made(key, { expires_in_days: 2 });
    await platform.db.prisma.oAuthClient.update({ where: { client_id }, data: { expires_at: new Date() } });
    expect(daysUntil(((await rotate(key, client_id, { expires_in_days: 5 })).body as Made).expires_at)).toBe(5);
    expect(daysUntil(((await rotate(key, client_id)).body as Made).expires_at)).toBe(10);
    expect((await rotate(key, client_id, { expires_in_days: null })).status).toBe(422);
    expect(daysUntil((await rowOf(client_id)).expires_at?.toISOString() ?? null)).toBe(10);
  });

  it('returns the same client secret when a request is repeated with the same Idempotency-Key', async () => {
    const key = await keyWith();
    const { client_id } = await made(key);
    const headers = { 'idempotency-key': 'rotation-1' };
    const [first, again] = [await rotate(key, client_id, {}, headers), await rotate(key, client_id, {}, headers)];
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect((first.body as Made).client_secret).toMatch(/^mw_secret_/);
  });
});

describe('a client with more rights than the key', () => {
  it.each([
    ['every scope', ['*'], 'the client has the scope *'],
    ['a scope of admins', ['skills:read', 'admin'], 'the client has the scope admin'],
    ['a scope that the key lacks', ['prompts:run'], 'the client has the scope prompts:run'],
  ])('can be revoked by the key, but neither changed nor rotated, when it has %s', async (_what, scopes, reason) => {
    const key = await keyWith({ userId: await newUser('admin') });
    const { client_id, client_secret } = await consoleClient(key.userId, { scopes });
    for (const { status, body } of [
      await change(key, client_id, { redirect_uris: [CALLBACK] }),
      await rotate(key, client_id),
    ])
      expect([status, body]).toMatchObject([403, { error: { message: expect.stringContaining(reason) as string } }]);
    const row = await rowOf(client_id);
    expect(row.redirect_uris).toEqual([]);
    expect(Buffer.from(row.secret_hash ?? []).toString('hex')).toBe(hashOf(client_secret));
    expect((await remove(key, client_id)).status).toBe(204);
  });

  it('can be neither changed nor rotated by the key when the client is valid longer than the key', async () => {
    const expiresAt = new Date(Date.now() + 10 * DAY_MS);
    const key = await keyWith({ expiresAt });
    const longer = await keyWith({ userId: key.userId });
    const clients = [await consoleClient(key.userId), await made(longer, { expires_in_days: 20 })];
    for (const { client_id } of clients) {
      const reason = `the client is valid after ${expiresAt.toISOString()}`;
      for (const { status, body } of [await change(key, client_id, { name: 'Mine' }), await rotate(key, client_id)])
        expect([status, body]).toMatchObject([403, { error: { message: expect.stringContaining(reason) as string } }]);
      expect((await rotate(longer, client_id)).status).toBe(200);
    }
  });
});

describe('DELETE /api/v1/clients/{client_id}', () => {
  it('revokes clients that a key or the console made, and records the key that revoked them', async () => {
    const key = await keyWith();
    for (const { client_id } of [await made(key), await consoleClient(key.userId)]) {
      expect((await remove(key, client_id)).status).toBe(204);
      expect((await rowOf(client_id)).revoked_at).not.toBeNull();
      expect((await read(key, client_id)).status).toBe(404);
      const rows = await decisionsOf(client_id);
      expect(rows.at(-1)).toMatchObject({ action: 'oauth_client.revoke', detail: { by: key.id } });
      for (const answer of [await change(key, client_id, { name: 'x' }), await rotate(key, client_id)])
        expect(answer.status).toBe(404);
    }
  });

  it('answers 404 to every request for a client of another user or project', async () => {
    const key = await keyWith({ userId: await newUser('admin') });
    const elsewhere = await keyWith({ userId: key.userId, project: 'Commerce' });
    for (const { client_id } of [await made(await keyWith()), await made(elsewhere)]) {
      const answers = [
        await read(key, client_id),
        await change(key, client_id, { name: 'Mine' }),
        await rotate(key, client_id),
        await remove(key, client_id),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
      const row = await rowOf(client_id);
      expect([row.name, row.revoked_at, row.previous_secret_hash]).toEqual(['App', null, null]);
    }
  });
});

describe('a key that made clients', () => {
  it('can neither make, change nor rotate clients after its revocation, but its clients stay valid', async () => {
    const key = await keyWith();
    const { client_id } = await made(key);
    await platform.db.transaction((tx) => revokeApiKey(tx, key.id, actorOf(key.userId)));
    for (const answer of [await make(key), await rotate(key, client_id), await change(key, client_id, { name: 'x' })])
      expect(answer.status).toBe(401);
    expect((await rowOf(client_id)).revoked_at).toBeNull();
  });

  it('has its clients revoked when its account is disabled', async () => {
    const key = await keyWith();
    const { client_id } = await made(key);
    await platform.db.transaction((tx) => disableUser(tx, key.userId, actorOf(key.userId), () => undefined));
    expect((await rowOf(client_id)).revoked_at).not.toBeNull();
  });
});
