import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import type { Database } from '@millwright/db';
import { createPinnedKeyFinder, readPinnedKeys, sealAuditLog, verifyAuditLog, type PublicSealKey } from './index.js';
import { asSuperuser, makeActor, makeSealKey, openDatabase, writeRows } from './test-audit-log.js';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'millwright-pins-'))));
afterAll(() => rmSync(folder, { recursive: true }));

describe('an owner of the database who deletes a row and signs all seals again with another key', () => {
  let database: TestDatabase;
  let db: Database;
  const [key, own] = [makeSealKey('seal-key'), makeSealKey('own-key')];
  /** Finds every key that the database lists, including the attacker's own key, which the attacker has inserted as a retired key. */
  const listed = createPinnedKeyFinder([key.jwk, own.jwk]);

  beforeAll(async () => {
    database = await createTestDatabase();
    db = openDatabase(database.url);
    const { userId } = await makeActor(db);
    await writeRows(database.url, userId, 20);
    await sealAuditLog(db, key);
    await asSuperuser(database.url, async (client) => {
      await client.query('DELETE FROM governance_decisions WHERE seq = 7');
      await client.query('DELETE FROM audit_seals');
    });
    await sealAuditLog(db, own);
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  it('is not detected by a verification that uses the keys of the database', async () => {
    expect(await verifyAuditLog(db, listed)).toMatchObject({ rows: 19, seals: 1, faults: [] });
  });

  it('is detected by a verification that uses pinned keys', async () => {
    expect((await verifyAuditLog(db, createPinnedKeyFinder([key.jwk]))).faults).toEqual([
      { kind: 'seal', row: null, seal: 1, reason: 'its signature is not good: the key own-key is not trusted' },
    ]);
  });
});

describe('readPinnedKeys', () => {
  const { jwk } = makeSealKey('seal-key');
  const { kid, ...public_jwk } = jwk;
  const read = (content: unknown): Promise<PublicSealKey[]> => {
    const path = join(folder, 'keys.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return readPinnedKeys(path);
  };

  it.each([
    ['a JWK Set', { keys: [jwk] }],
    ['the output of signing-keys list', [{ kid, issuer: 'admin-auth', public_jwk }]],
  ])('reads %s', async (_case, content) => {
    const [found] = await read(content);
    expect(found).toMatchObject(jwk);
  });

  it('omits the keys of other services', async () => {
    expect(await read([{ kid, issuer: 'runtime-api', public_jwk }])).toEqual([]);
  });

  it.each([['not JSON'], [{}], [[{ kty: 'EC' }]]])('refuses %j', async (content) => {
    await expect(read(content)).rejects.toThrow();
  });
});
