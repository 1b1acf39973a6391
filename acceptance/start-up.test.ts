import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, freePort, type TestDatabase } from '@millwright/testing';
import { writeDeviceCa } from './harness/device-ca.js';
import { operator } from './harness/operator.js';
import { createService, type Service, type ServiceName } from './harness/service.js';
import { until } from './harness/until.js';

/** Runs a built service with only these environment variables. */
function run(name: string, env: Record<string, string>): Promise<{ code: number; stderr: string }> {
  const main = fileURLToPath(new URL(`../apps/${name}/dist/main.js`, import.meta.url));
  return new Promise((resolve) => {
    execFile(process.execPath, [main], { env, timeout: 180_000 }, (error, _stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stderr });
    });
  });
}

describe('a service with a faulty environment', () => {
  it.each([
    [
      'admin-auth',
      ['DATABASE_URL', 'PORT', 'ADMIN_PORT', 'BASE_URL', 'RUNTIME_URL', 'PROMPT_API_URL', 'SIGNING_KEY_FILE'],
    ],
    ['platform-api', ['DATABASE_URL', 'PORT', 'ADMIN_PORT', 'BASE_URL', 'SECRETS_KEYS']],
    [
      'runtime-api',
      ['DATABASE_URL', 'PORT', 'ADMIN_PORT', 'BASE_URL', 'RUNTIME_URL', 'SIGNING_KEY_FILE', 'SECRETS_KEYS'],
    ],
    ['prompt-api', ['DATABASE_URL', 'PORT', 'ADMIN_PORT', 'BASE_URL', 'PROMPT_API_URL']],
    ['gateway', ['ADMIN_PORT', 'BASE_URL', 'RUNTIME_URL', 'PROMPT_API_URL', 'PLATFORM_API_TARGETS']],
  ])('%s exits 78 at once and names every faulty variable without its value', async (name, required) => {
    const { code, stderr } = await run(name, {
      LOG_LEVEL: 'loud-secret-value',
      RATE_LIMIT_MULTIPLIER: 'minus-secret-value',
    });
    expect(code).toBe(78);
    for (const variable of [...required, 'LOG_LEVEL']) expect(stderr).toContain(`${variable}:`);
    expect(stderr).not.toContain('secret-value');
  });
});

describe('a service that starts while a dependency is missing', () => {
  let database: TestDatabase;
  let folder: string;
  let env: Record<string, string>;
  let server: Server;
  let service: Service | undefined;

  beforeEach(async () => {
    database = await createTestDatabase();
    const admin = ['--email', 'admin@localhost', '--name', 'Admin', '--role', 'admin', '--platform-admin'];
    await operator(database.url, 'users', 'create', ...admin);
    folder = mkdtempSync(join(tmpdir(), 'millwright-start-up-'));
    const away = new URL(database.url);
    away.port = String(await freePort());
    server = createServer((near) => passOn(near, new URL(database.url)));
    const key = join(folder, 'key.pem');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    env = {
      DATABASE_URL: away.href,
      BASE_URL: 'http://localhost:8080',
      RUNTIME_URL: 'http://localhost:8081',
      PROMPT_API_URL: 'http://localhost:8082',
      PLATFORM_API_TARGETS: 'http://127.0.0.1:1',
      RUNTIME_API_TARGETS: 'http://127.0.0.1:1',
      PROMPT_API_TARGETS: 'http://127.0.0.1:1',
      SIGNING_KEY_FILE: key,
      SECRETS_KEYS: `test:${randomBytes(32).toString('base64')}`,
      FILES_DIR: join(folder, 'files'),
      JOBS_OWNER: 'admin@localhost',
      ...(await writeDeviceCa(folder)),
    };
  });

  afterEach(async () => {
    const ended = service ? await service.terminate() : 0;
    service = undefined;
    expect(ended).toBe(0);
    server.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Makes the database available: starts the proxy at the address in DATABASE_URL, which forwards all connections to the database. */
  async function bringDatabase(): Promise<void> {
    server.listen(Number(new URL(env['DATABASE_URL'] ?? '').port), '127.0.0.1');
    await once(server, 'listening');
  }

  async function create(name: ServiceName): Promise<Service> {
    service = createService(name, { port: await freePort(), adminPort: await freePort() }, env);
    return service;
  }

  it.each(['admin-auth', 'platform-api', 'runtime-api', 'prompt-api'] as const)(
    '%s is alive, names the missing database at /readyz and in its log, and becomes ready when the database can be reached',
    async (name) => {
      const starting = await create(name);
      const { adminUrl } = starting;
      const ready = starting.start();
      const answer = await until(() => fetch(`${adminUrl}/readyz`).catch(() => undefined));
      expect(answer.status).toBe(503);
      const { status, reason } = (await answer.json()) as { status: string; reason: string };
      expect(status).toBe('unavailable');
      expect(reason).toMatch(/^the database does not answer \([A-Z0-9_]+\)$/);
      expect((await fetch(`${adminUrl}/livez`)).status).toBe(200);
      await until(() => (starting.output().includes(JSON.stringify({ reason }).slice(1, -1)) ? true : undefined));
      await bringDatabase();
      await ready;
      await until(() => (starting.output().includes('"msg":"ready again"') ? true : undefined));
    },
  );

  it('admin-auth at an https address: exits when SECURITY_ALLOW_REGISTRATION is not set, and logs warnings when it is `true`', async () => {
    const https = {
      DATABASE_URL: database.url,
      BASE_URL: 'https://mw.example',
      RUNTIME_URL: 'https://runtime.mw.example',
      PROMPT_API_URL: 'https://prompt.mw.example',
    };
    Object.assign(env, https);
    const ports = { PORT: String(await freePort()), ADMIN_PORT: String(await freePort()) };
    const { code, stderr } = await run('admin-auth', { ...env, ...ports });
    expect([code, stderr]).toEqual([78, expect.stringContaining('SECURITY_ALLOW_REGISTRATION: is required')]);
    Object.assign(env, { SECURITY_ALLOW_REGISTRATION: 'true' });
    const started = await create('admin-auth');
    await started.start();
    for (const warning of ['registration is open', 'recovery links go to this log'])
      await until(() => (started.output().includes(warning) ? true : undefined));
  });

  it('warns when the file storage does not answer, and starts anyway', async () => {
    const keys = { FILES_S3_ACCESS_KEY_ID: 'none', FILES_S3_SECRET_ACCESS_KEY: 'none' };
    Object.assign(
      env,
      { DATABASE_URL: database.url, FILES_S3_BUCKET: 'none', FILES_S3_ENDPOINT: 'http://127.0.0.1:1' },
      keys,
    );
    const started = await create('runtime-api');
    await started.start();
    await until(() => (started.output().includes('the storage of files does not answer') ? true : undefined));
  });

  it('logs why Redis does not answer, and reports in its metrics that rate limits are not shared between processes', async () => {
    Object.assign(env, { DATABASE_URL: database.url, REDIS_URL: 'redis://127.0.0.1:1' });
    const started = await create('platform-api');
    await started.start();
    const warning = /"cause":"[^"]*ECONNREFUSED[^"]*","msg":"rate limits are counted in each process alone/;
    await until(() => (warning.test(started.output()) ? true : undefined));
    const metrics = await (await fetch(`${started.adminUrl}/metrics`)).text();
    expect(metrics).toMatch(/^rate_limit_backend_redis(\{.*\})? 0$/m);
  });

  it('exits at once when its signing key is invalid, although the database is unreachable', async () => {
    writeFileSync(env['SIGNING_KEY_FILE'] ?? '', 'no key');
    const settings = { ...env, PORT: String(await freePort()), ADMIN_PORT: String(await freePort()) };
    for (const name of ['admin-auth', 'runtime-api']) {
      const { code, stderr } = await run(name, settings);
      expect([name, code, stderr]).toEqual([name, 78, expect.stringContaining('SIGNING_KEY_FILE:')]);
    }
  });
});

function passOn(near: Socket, { port, hostname }: URL): void {
  const far = connect(Number(port), hostname);
  near.pipe(far).pipe(near);
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
}
