import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTokenSigner, createTokenVerifier } from '@millwright/auth';
import {
  createIssuedKeyFinder,
  createKeyFinder,
  readJwks,
  watchSigningKey,
  type WatchedKey,
} from '@millwright/auth/signing-keys';
import type { Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { listSigningKeys, revokeSigningKey, rotateSigningKey } from './signing-keys.store.js';
import { makeUser, openDatabase } from '../test-accounts.js';
import type { Actor } from '@millwright/audit';

let database: TestDatabase;
let db: Database;
let actor: Actor;
let folder: string;
let file: string;
let watched: WatchedKey;
let rotations: string[];
let errors: unknown[];

beforeEach(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  ({ actor } = await makeUser(db, 'ann@example.com', { role: 'admin' }));
  folder = mkdtempSync(join(tmpdir(), 'rotation-'));
  file = join(folder, 'key.pem');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  replaceFile(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  [rotations, errors] = [[], []];
  watched = await watch();
});
afterEach(async () => {
  await watched.stop();
  await db.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

function replaceFile(pem: string): void {
  writeFileSync(`${file}.new`, pem);
  renameSync(`${file}.new`, file);
}
const watch = () =>
  watchSigningKey(db, 'runtime-api', {
    file,
    checkEvery: 50,
    onRotation: (kid) => rotations.push(kid),
    onError: (error) => errors.push(error),
  });
const rotate = () => db.transaction((tx) => rotateSigningKey(tx, 'runtime-api', actor));
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

const issuer = 'http://runtime.test';
const token = { issuer, audience: issuer, subject: 'u', scope: '', sid: 'g', expiresIn: 600 };
const verifier = () => createTokenVerifier({ issuer, audience: issuer, findKey: createKeyFinder(db, 'runtime-api') });

describe('rotation of a signing key', () => {
  it('keeps old and new tokens valid on every verifier under load', async () => {
    const sign = createTokenSigner(watched.current);
    const verifiers = [verifier(), verifier(), verifier()];
    const kept = [sign(token)];
    const outcome = { good: 0, refused: 0 };
    let isOver = false;
    const load = verifiers.map(async (verify) => {
      while (!isOver) {
        for (const one of [sign(token), kept[outcome.good % kept.length] ?? ''])
          outcome[(await verify(one)) ? 'good' : 'refused'] += 1;
        await new Promise(setImmediate);
      }
    });
    for (let round = 1; round <= 2; round++) {
      const { kid, pem } = await rotate();
      replaceFile(pem);
      await until(() => rotations.includes(kid));
      kept.push(sign(token));
      await until(() => outcome.good > round * 2_000);
    }
    isOver = true;
    await Promise.all(load);
    expect(outcome).toEqual({ good: outcome.good, refused: 0 });
    expect(outcome.good).toBeGreaterThan(4_000);
    expect(errors).toEqual([]);
    for (const verify of [verifier(), ...verifiers])
      for (const one of kept) expect(await verify(one)).toMatchObject({ sub: 'u' });
  });

  it('retires the former key two hours after the last process has stopped signing with it', async () => {
    const former = watched.current().kid;
    const { kid, pem } = await rotate();
    expect(await listSigningKeys(db)).toMatchObject([
      { kid, current: false, active_at: null },
      { kid: former, current: true, retired_at: null },
    ]);
    replaceFile(pem);
    await until(() => rotations.includes(kid));
    const [next, old] = await listSigningKeys(db);
    expect(next).toMatchObject({ kid, current: true, retired_at: null });
    expect(old).toMatchObject({ kid: former, current: false });
    const left = Date.parse(old?.retired_at ?? '') - Date.now();
    expect(left).toBeGreaterThan(7_100_000);
    expect(left).toBeLessThan(7_200_001);
  });

  it('delays the retirement of the former key while a process still signs with it', async () => {
    const former = watched.current().kid;
    await db.prisma.signingKey.update({
      where: { kid: former },
      data: { retired_at: new Date(Date.now() + 60_000) },
    });
    await until(async () => {
      const { retired_at } = await db.prisma.signingKey.findUniqueOrThrow({ where: { kid: former } });
      return Number(retired_at) > Date.now() + 7_000_000;
    });
  });

  it('makes a process with a retired key refuse to start, and tokens that a retired key signed are refused', async () => {
    const former = watched.current().kid;
    const old = createTokenSigner(watched.current)(token);
    await watched.stop();
    await db.prisma.signingKey.update({ where: { kid: former }, data: { retired_at: new Date() } });
    await expect(watch()).rejects.toMatchObject({ exitCode: 78, faults: [{ variable: 'SIGNING_KEY_FILE' }] });
    expect(await verifier()(old)).toBeUndefined();
    expect(await createIssuedKeyFinder(db, 'runtime-api')(former)).toBeDefined();
  });

  it('keeps the current key as long as the file has no valid key', async () => {
    const { kid } = watched.current();
    replaceFile('half a key');
    await until(() => errors.length > 0);
    expect(watched.current().kid).toBe(kid);
    expect(String(errors[0])).not.toContain('half a key');
    expect(rotations).toEqual([]);
  });

  it('writes an audit row, and immediately retires the key of an earlier rotation that was never used', async () => {
    const first = await rotate();
    const second = await rotate();
    const keys = await listSigningKeys(db);
    expect(keys.find(({ kid }) => kid === first.kid)?.retired_at).not.toBeNull();
    expect(keys.find(({ kid }) => kid === second.kid)?.retired_at).toBeNull();
    const auditRows = await db.prisma.governanceDecision.findMany({ where: { action: 'signing_key.rotate' } });
    expect(auditRows).toMatchObject([{ resource: first.kid, user_id: actor.userId }, { resource: second.kid }]);
    expect(JSON.stringify([keys, auditRows.map(({ detail }) => detail)])).not.toContain('PRIVATE');
  });
});

describe('revokeSigningKey', () => {
  const revoke = (kid: string) => db.transaction((tx) => revokeSigningKey(tx, kid, actor));

  it('makes new verifiers refuse the key immediately; until the key file has a new key, the process signs with a generated key', async () => {
    const former = watched.current().kid;
    const old = createTokenSigner(watched.current)(token);
    expect(await revoke(former)).toBe('runtime-api');
    expect(await verifier()(old)).toBeUndefined();
    await until(() => rotations.length === 1);
    const own = watched.current().kid;
    expect(own).not.toBe(former);
    expect(await verifier()(createTokenSigner(watched.current)(token))).toMatchObject({ sub: 'u' });
    expect((await readJwks(db, 'runtime-api')).keys.map(({ kid }) => kid)).toEqual([own]);
    const { kid, pem } = await rotate();
    replaceFile(pem);
    await until(() => rotations.includes(kid));
    expect(watched.current().kid).toBe(kid);
    expect(errors).toEqual([]);
    expect((await listSigningKeys(db)).find((key) => key.kid === former)).toMatchObject({
      current: false,
      revoked_at: expect.any(String) as string,
    });
  });

  it('makes a process refuse to start while its key file contains the revoked key', async () => {
    const { kid } = watched.current();
    await watched.stop();
    await revoke(kid);
    await expect(watch()).rejects.toMatchObject({ exitCode: 78, faults: [{ variable: 'SIGNING_KEY_FILE' }] });
  });

  it('writes one audit row for any number of calls, and answers not_found for an unknown key', async () => {
    const { kid } = watched.current();
    await revoke(kid);
    await revoke(kid);
    expect(await db.prisma.governanceDecision.findMany({ where: { resource: kid } })).toMatchObject([
      { action: 'signing_key.revoke', user_id: actor.userId, detail: { issuer: 'runtime-api' } },
    ]);
    await expect(revoke('unknown')).rejects.toMatchObject({ code: 'not_found' });
  });
});
