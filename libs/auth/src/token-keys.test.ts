import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseFailure, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { calculateJwkThumbprint } from 'jose';
import { createTokenSigner, createTokenVerifier } from './index.js';
import { createKeyFinder, loadSigningKey, publishSigningKey, readJwks } from './signing-keys.js';
import { openDatabase } from './test-users.js';

let database: TestDatabase;
let db: Database;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  folder = mkdtempSync(join(tmpdir(), 'keys-'));
});
beforeEach(() => db.prisma.signingKey.deleteMany());
afterAll(async () => {
  await db.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

let files = 0;
function keyFile(content?: string): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const file = join(folder, `${(files += 1)}.pem`);
  writeFileSync(file, content ?? privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return file;
}
async function published() {
  const key = await loadSigningKey(keyFile());
  await publishSigningKey(db, 'runtime-api', key);
  return key;
}
const retire = (kid: string) => db.prisma.signingKey.update({ where: { kid }, data: { retired_at: new Date() } });

/** Creates a database that counts its queries and can be switched off. */
function watched() {
  const state = { asked: 0, away: false };
  const prepared: Database['prepared'] = async <Row extends object>(...args: Parameters<Database['prepared']>) => {
    state.asked += 1;
    if (state.away) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    return db.prepared<Row>(...args);
  };
  return { state, db: { ...db, prepared } };
}

describe('loadSigningKey', () => {
  it('uses the thumbprint as the key id and never exports the private half', async () => {
    const key = await loadSigningKey(keyFile());
    expect(key.kid).toBe(await calculateJwkThumbprint(key.publicJwk));
    expect(Object.keys(key.publicJwk).toSorted()).toEqual(['crv', 'kty', 'x', 'y']);
  });

  const ed25519 = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({ type: 'pkcs8', format: 'pem' });
  const publicHalf = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    type: 'spki',
    format: 'pem',
  });
  it.each([
    ['nothing', ''],
    ['text', 'hunter2 is not a key'],
    ['a key of another curve', String(p384)],
    ['a key of another kind', String(ed25519)],
    ['the public half', String(publicHalf)],
  ])('refuses a file with %s; the error names the variable, but not the content', async (_case, content) => {
    const failure: unknown = await loadSigningKey(keyFile(content)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ exitCode: 78, faults: [{ variable: 'SIGNING_KEY_FILE' }] });
    if (content) expect(String(failure)).not.toContain(content);
  });

  it('refuses a missing file', async () => {
    await expect(loadSigningKey(join(folder, 'none.pem'))).rejects.toMatchObject({ exitCode: 78 });
  });
});

describe('readJwks', () => {
  it('returns the live public keys of the issuer, and both of its keys during a rotation', async () => {
    const [old, next] = [await published(), await published()];
    const other = await loadSigningKey(keyFile());
    await publishSigningKey(db, 'admin-auth', other);
    const { keys } = await readJwks(db, 'runtime-api');
    expect(keys.map(({ kid }) => kid as string).toSorted()).toEqual([old.kid, next.kid].toSorted());
    for (const jwk of keys) {
      expect(jwk).toMatchObject({ kty: 'EC', crv: 'P-256', use: 'sig', alg: 'ES256' });
      expect(jwk).not.toHaveProperty('d');
    }
  });

  it('returns a retired key for 90 more days, because agent cards are verified with it', async () => {
    const [old, next] = [await published(), await published()];
    await retire(old.kid);
    const shown = async () => (await readJwks(db, 'runtime-api')).keys.map(({ kid }) => kid);
    expect(await shown()).toEqual(expect.arrayContaining([old.kid, next.kid]));
    const retired_at = new Date(Date.now() - 91 * 86_400_000);
    await db.prisma.signingKey.update({ where: { kid: old.kid }, data: { retired_at } });
    expect(await shown()).toEqual([next.kid]);
  });

  it('returns a key once, however often its issuer starts', async () => {
    const key = await published();
    await publishSigningKey(db, 'runtime-api', key);
    expect((await readJwks(db, 'runtime-api')).keys).toHaveLength(1);
  });
});

describe('createKeyFinder', () => {
  it('finds the keys of its issuer only', async () => {
    const ours = await published();
    const theirs = await loadSigningKey(keyFile());
    await publishSigningKey(db, 'admin-auth', theirs);
    const find = createKeyFinder(db, 'runtime-api');
    expect((await find(ours.kid))?.export({ format: 'jwk' })).toMatchObject({ x: ours.publicJwk['x'] });
    expect(await find(theirs.kid)).toBeUndefined();
  });

  it('reads the keys only once when the first hundred requests arrive concurrently', async () => {
    const { kid } = await published();
    const { state, db: counted } = watched();
    const find = createKeyFinder(counted, 'runtime-api');
    const found = await Promise.all(Array.from({ length: 100 }, () => find(kid)));
    expect(found.every((key) => key !== undefined)).toBe(true);
    expect(state.asked).toBe(1);
  });

  it('finds a new key immediately, and reads the database at most once a second for unknown keys', async () => {
    let time = 1_000_000;
    const { state, db: counted } = watched();
    const find = createKeyFinder(counted, 'runtime-api', () => time);
    await find((await published()).kid);
    for (let n = 0; n < 50; n++) expect(await find(`unknown-${n}`)).toBeUndefined();
    expect(state.asked).toBe(1);
    const { kid } = await published();
    time += 1_001;
    expect(await find(kid)).toBeDefined();
    expect(state.asked).toBe(2);
  });

  it('reads the keys again after five seconds without delaying a request, and then refuses a retired key', async () => {
    let time = 1_000_000;
    const { kid } = await published();
    const { state, db: counted } = watched();
    const find = createKeyFinder(counted, 'runtime-api', () => time);
    await find(kid);
    await retire(kid);
    time += 4_900;
    expect(await find(kid)).toBeDefined();
    expect(state.asked).toBe(1);
    time += 200;
    expect(await find(kid)).toBeDefined();
    while (await find(kid)) await sleep(5);
    expect(state.asked).toBe(2);
  });

  it('refuses a revoked key after ten seconds at most, also after a long time without requests', async () => {
    let time = 1_000_000;
    const { kid } = await published();
    const finders = [createKeyFinder(db, 'runtime-api', () => time), createKeyFinder(db, 'runtime-api', () => time)];
    for (const find of finders) expect(await find(kid)).toBeDefined();
    await db.prisma.signingKey.update({ where: { kid }, data: { revoked_at: new Date() } });
    expect((await readJwks(db, 'runtime-api')).keys).toEqual([]);
    time += 10_001;
    for (const find of finders) expect(await find(kid)).toBeUndefined();
  });

  it('returns cached keys while the database is unavailable', async () => {
    let time = 1_000_000;
    const key = await published();
    const { state, db: counted } = watched();
    const find = createKeyFinder(counted, 'runtime-api', () => time);
    await find(key.kid);
    state.away = true;
    for (let minute = 0; minute < 10; minute++) {
      time += 61_000;
      expect(await find(key.kid)).toBeDefined();
      await new Promise(setImmediate);
    }
  });

  it('rejects while the database is unavailable and the key is not cached, and finds the key when the database is available again', async () => {
    const { kid } = await published();
    const { state, db: counted } = watched();
    const find = createKeyFinder(counted, 'runtime-api', () => 1_000_000);
    state.away = true;
    for (let n = 0; n < 3; n++) {
      const failure: unknown = await find(kid).catch((error: unknown) => error);
      expect(databaseFailure(failure)).toMatchObject({ code: 'unavailable' });
    }
    state.away = false;
    expect(await find(kid)).toBeDefined();
  });

  it('verifies tokens of the old key and the new key during a rotation', async () => {
    const issuer = 'http://runtime.test';
    const verify = createTokenVerifier({ issuer, audience: issuer, findKey: createKeyFinder(db, 'runtime-api') });
    for (const key of [await published(), await published()]) {
      const token = createTokenSigner(key)({
        issuer,
        audience: issuer,
        subject: 'u',
        scope: '',
        sid: 'g',
        expiresIn: 60,
      });
      expect(await verify(token)).toMatchObject({ sub: 'u' });
    }
  });
});
