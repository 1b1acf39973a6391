import { execFile, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createUser } from '@millwright/accounts';
import { createDatabase } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { bundleProgram } from '@millwright/testing/bundle-program';
import { newCaFiles } from '../bridge/test-device-ca.js';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'millwright-admin-auth-'));
  mkdirSync(join(folder, 'console/assets/console'), { recursive: true });
  mkdirSync(join(folder, 'docs'));
  for (const page of ['index', 'sign-in']) writeFileSync(join(folder, `console/${page}.html`), '');
  const { keyPem, certificatePem } = await newCaFiles();
  writeFileSync(join(folder, 'ca-key.pem'), keyPem);
  writeFileSync(join(folder, 'ca.pem'), certificatePem);
  await bundleProgram(new URL('../main.ts', import.meta.url), join(folder, 'main.mjs'));
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

const urls = {
  BASE_URL: 'http://localhost:1',
  RUNTIME_URL: 'http://localhost:2',
  PROMPT_API_URL: 'http://localhost:3',
};

const SECRETS_KEYS = `test:${randomBytes(32).toString('base64')}`;

function environment(changes: Record<string, string>): Record<string, string> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const SIGNING_KEY_FILE = join(folder, 'key.pem');
  writeFileSync(SIGNING_KEY_FILE, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const ca = { DEVICE_CA_KEY_FILE: join(folder, 'ca-key.pem'), DEVICE_CA_CERT_FILE: join(folder, 'ca.pem') };
  const quick = { SHUTDOWN_ANNOUNCE_MS: '0', HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0' };
  return { ...urls, ...ca, ...quick, DATABASE_URL: database.url, SECRETS_KEYS, SIGNING_KEY_FILE, ...changes };
}

it('the built-in jobs start and stop with the service', async () => {
  const db = createDatabase({ url: database.url, poolMax: 1 });
  const owner = {
    email: 'ann@example.com',
    name: 'Ann',
    role: 'admin',
    platformAdmin: false,
    project: 'Core',
  } as const;
  await db.transaction((tx) => createUser(tx, owner));
  await db.close();
  const env = environment({
    JOBS_FILE: fileURLToPath(new URL('../../../../config/jobs.yaml', import.meta.url)),
    JOBS_OWNER: 'ann@example.com',
  });
  const service = spawn(process.execPath, [join(folder, 'main.mjs')], { env, cwd: folder });
  let out = '';
  service.stdout.on('data', (text: Buffer) => (out += text.toString()));
  const exited = once(service, 'exit');
  await Promise.race([
    exited,
    new Promise<void>((resolve) => service.stdout.on('data', () => out.includes('is listening') && resolve())),
  ]);
  expect(out).toContain('admin-auth is listening');
  service.kill('SIGTERM');
  const [code] = (await exited) as [number | null];
  expect([code, out.includes('closing failed')]).toEqual([0, false]);
});

it('the service exits with 78 and names every fault when the jobs are invalid', async () => {
  const jobs = join(folder, 'jobs.yaml');
  writeFileSync(
    jobs,
    `jobs:
  - { name: a, extension: seal-audit, owner: nobody@example.com, schedule: "*/5 * * * *" }
  - { name: b, extension: seal-everything, owner: nobody@example.com, schedule: "*/5 * * * *" }
  - { name: c, extension: seal-audit, owner: nobody@example.com, schedule: "whenever" }
  - { name: d, extension: seal-audit, schedule: "*/5 * * * *" }`,
  );
  const env = environment({ JOBS_FILE: jobs });
  const { code, err } = await new Promise<{ code: unknown; err: string }>((resolve) => {
    execFile(process.execPath, [join(folder, 'main.mjs')], { env, cwd: folder }, (error, _out, err) =>
      resolve({ code: error?.code, err }),
    );
  });
  expect(code).toBe(78);
  for (const fault of [
    'extension seal-everything is not one of apply-retention, expire-one-time, ',
    'jobs[2].schedule must be a cron expression of five fields',
    'jobs[3].owner is required where JOBS_OWNER is not set',
    'the owner nobody@example.com of a does not exist',
  ])
    expect(err).toContain(fault);
});
