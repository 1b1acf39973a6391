import { randomBytes, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, newId, type Database } from '@millwright/db';
import { createSecretBox, secretPlaces } from '@millwright/secrets';
import {
  createEmptyDatabase,
  createTestDatabase,
  freePort,
  listen,
  startS3,
  type TestDatabase,
} from '@millwright/testing';
import { createTestProgram, type TestProgram } from '../test-program.js';
import { clockFinding } from './database-checks.js';
import type { Checked } from './check.js';

let program: TestProgram;
let database: TestDatabase;
let db: Database;
let folder: string;

beforeAll(async () => {
  program = createTestProgram();
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 2 });
  folder = mkdtempSync(join(tmpdir(), 'millwright-doctor-'));
});
afterAll(async () => {
  await db.close();
  await database.drop();
  program.remove();
  rmSync(folder, { recursive: true });
});

/** Runs doctor, and returns the findings of one check and the exit code. */
async function findingsOf(check: string, env: Record<string, string> = {}) {
  const { code, out, err } = await program.run(['doctor', '--json'], { DATABASE_URL: database.url, ...env });
  expect(err).toBe('');
  const { checks } = JSON.parse(out) as { ok: boolean; checks: Checked[] };
  return { code, findings: checks.filter((one) => one.check === check) };
}
const states = (findings: Checked[]) => findings.map(({ state }) => state);

describe('millwright doctor', () => {
  it('reports pending migrations with the command that applies them, and exits 1', async () => {
    const empty = await createEmptyDatabase();
    const { code, findings } = await findingsOf('schema', { DATABASE_URL: empty.url });
    await empty.drop();
    expect(code).toBe(1);
    expect(findings).toMatchObject([{ state: 'failed', next: 'Run: millwright admin db migrate --roles' }]);
    expect(states((await findingsOf('schema')).findings)).toEqual(['ok']);
  });

  it('runs every other check when the database does not answer', async () => {
    const { code, findings } = await findingsOf('database', { DATABASE_URL: 'postgresql://u:hunter2@127.0.0.1:1/x' });
    expect(code).toBe(1);
    expect(findings).toMatchObject([{ state: 'failed', finding: 'The database does not answer.' }]);
    const storage = await findingsOf('file storage', {
      DATABASE_URL: 'postgresql://u:hunter2@127.0.0.1:1/x',
      FILES_DIR: folder,
    });
    expect(storage.findings[0]).toMatchObject({ state: 'ok' });
    expect(JSON.stringify(storage)).not.toContain('hunter2');
  });

  it('counts secrets that were encrypted with a former key, and secrets that no key decrypts', async () => {
    const [first, former, lost] = ['a', 'b', 'c'].map((id) => ({ id, key: randomBytes(32) })) as [Key, Key, Key];
    const text = ({ id, key }: Key) => `${id}:${key.toString('base64')}`;
    await program.run(['users', 'create', '--email', 'ann@example.com', '--name', 'Ann'], {
      DATABASE_URL: database.url,
    });
    const { id: created_by } = await db.prisma.user.findUniqueOrThrow({ where: { email: 'ann@example.com' } });
    for (const key of [first, former, lost]) {
      const id = newId();
      const auth = { type: 'none' };
      const headers = { 'X-Key': createSecretBox([key]).seal('secret', secretPlaces.mcpHeader(id, 'X-Key')) };
      const names = { name: key.id, slug: key.id, url: 'https://example.com', description: '' };
      await db.prisma.mcpServer.create({ data: { id, project: 'Core', created_by, ...names, headers, auth } });
    }
    const { findings } = await findingsOf('stored secrets', { SECRETS_KEYS: [first, former].map(text).join(',') });
    expect(findings).toMatchObject([
      { state: 'ok', finding: expect.stringMatching(/^1 are sealed under the first key/) as string },
      { state: 'warning', next: 'Run: millwright admin secrets reseal' },
      { state: 'failed', finding: '1 can be opened by no key of SECRETS_KEYS' },
    ]);
    expect(states((await findingsOf('stored secrets')).findings)).toEqual(['skipped']);
  });

  it('reports whether the bucket for stored files answers', async () => {
    const s3 = await startS3(join(folder, 's3'));
    const state = async (settings: Record<string, string>) =>
      (await findingsOf('file storage', { ...s3.settings, ...settings })).findings[0];
    expect(await state({})).toMatchObject({ state: 'ok' });
    const missing = await state({ FILES_S3_BUCKET: 'missing' });
    expect(missing).toMatchObject({ state: 'failed', finding: expect.stringContaining('NoSuchBucket') as string });
    await s3.close();
  });

  it('reports a folder for stored files in which it cannot write', async () => {
    const { findings } = await findingsOf('file storage', { FILES_DIR: join(folder, 'missing') });
    expect(findings[0]).toMatchObject({ state: 'failed', finding: expect.stringContaining('ENOENT') as string });
  });

  it('reports key files that are missing, belong to another user or are readable by others', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(join(folder, 'admin-auth.pem'), pem, { mode: 0o644 });
    const { findings } = await findingsOf('key files', { KEY_FOLDER: folder });
    expect(findings).toMatchObject([
      { state: 'warning', next: expect.stringContaining('chmod 600') as string },
      { state: 'failed', finding: expect.stringContaining('runtime-api.pem does not exist') as string },
    ]);
  });

  it('reports Redis that does not answer, and Redis that is not configured', async () => {
    const port = await freePort();
    expect((await findingsOf('limits', { REDIS_URL: `redis://127.0.0.1:${port}` })).findings).toMatchObject([
      { state: 'failed', finding: expect.stringContaining('Redis does not answer') as string },
    ]);
    expect(states((await findingsOf('limits')).findings)).toEqual(['warning']);
  });

  it('reports a service that does not answer, an address that belongs to another installation, and an address without TLS', async () => {
    const RUNTIME_URL = `http://localhost:${await freePort()}`;
    expect((await findingsOf('runtime API', { RUNTIME_URL })).findings).toMatchObject([{ state: 'failed' }]);
    const foreign = await listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"keys":[{"kid":"foreign"}]}');
    });
    const found = await findingsOf('runtime API', { RUNTIME_URL: foreign.url });
    await foreign.close();
    expect(found.findings[0]).toMatchObject({
      state: 'failed',
      finding: expect.stringContaining('belongs to another installation') as string,
    });
    const { findings } = await findingsOf('public addresses', { BASE_URL: 'http://millwright.example.com' });
    expect(findings[0]).toMatchObject({ state: 'failed', next: 'Serve it by https.' });
  });

  it.each([
    [0.4, 'ok'],
    [-1.5, 'warning'],
    [6, 'failed'],
    [Number.NaN, 'failed'],
  ])('reports a clock that differs by %s s with the state %s', (seconds, state) => {
    expect(clockFinding('It', seconds).state).toBe(state);
  });

  it('prints a table when --json is not given', async () => {
    const { out } = await program.run(['doctor'], { DATABASE_URL: database.url });
    expect(out).toMatch(/^CHECK +STATE +FINDING +NEXT/);
  });
});

interface Key {
  id: string;
  key: Buffer;
}
