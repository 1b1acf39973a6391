import { generateKeyPairSync } from 'node:crypto';
import { encodeId, newId } from '@millwright/db';
import { createPasskey, type HttpClient } from '@millwright/testing';
import { issueSetupToken } from '@millwright/accounts';
import type { TestConsole } from './test-console.js';
import { bodyOf, browser, enrol } from './test-sign-in.js';

type Person = Awaited<ReturnType<TestConsole['addUser']>>;

/** Creates one record of each kind that a person can own. @returns their ids, by the names of the path parameters */
export async function addRecords(site: TestConsole, person: Person & { email: string }) {
  const { client, sessionId } = await site.signIn(person);
  const create = async (path: string, json: object): Promise<Record<string, string>> =>
    bodyOf(await client('POST', `/admin/api${path}`, { json }), 201) as Record<string, string>;

  const actor = { userId: person.id, kind: 'user', label: person.name } as const;
  const { token } = await site.db.transaction((tx) => issueSetupToken(tx, person.email, actor));
  bodyOf(await enrol(browser(site.url).next, createPasskey(site.url), token), 201);
  const { id: key = '' } = await create('/keys', { name: 'Key' });
  const { client_id: oauthClient = '' } = await create('/clients', {
    name: 'Notebook',
    redirect_uris: ['https://app.example/cb'],
  });
  const { code } = await create('/devices/code', {});
  const public_key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    type: 'spki',
    format: 'pem',
  });
  bodyOf(await client('POST', '/bridge-auth/session', { json: { code, device_name: 'laptop', public_key } }));
  const { id: client_id } = await site.db.prisma.oAuthClient.findUniqueOrThrow({ where: { client_id: oauthClient } });
  await site.db.prisma.oAuthConsent.create({ data: { id: newId(), user_id: person.id, client_id, scopes: ['*'] } });

  return {
    user_id: encodeId('usr', person.id),
    session_id: encodeId('ses', sessionId),
    passkey_id: await firstOf(client, '/passkeys'),
    key_id: key,
    client_id: oauthClient,
    device_id: await firstOf(client, '/devices'),
    consent_id: await firstOf(client, '/consents'),
  };
}

async function firstOf(client: HttpClient, path: string): Promise<string> {
  const { items } = bodyOf(await client('GET', `/admin/api${path}`)) as { items: { id: string }[] };
  return items[0]?.id ?? '';
}

/** Ends the recent proof of a session, or makes the proof last for a day. */
export async function setProof(site: TestConsole, sessionId: string, proof: 'stale' | 'lasting'): Promise<void> {
  const hours = proof === 'stale' ? -24 : 24;
  const proven_at = new Date(Date.now() + hours * 3_600_000);
  await site.db.prisma.userSession.update({ where: { id: sessionId }, data: { proven_at } });
}
