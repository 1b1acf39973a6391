import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, databaseSettings, freePort, type TestDatabase } from '@millwright/testing';
import { writeDeviceCa } from './device-ca.js';
import { causesOfFailed } from './failed-answers.js';
import { operator } from './operator.js';
import { linesWithSecrets, noteSecret } from './secrets.js';
import { createService, type Service, type ServiceName } from './service.js';

const AREAS = ['admin-auth', 'platform-api', 'runtime-api', 'prompt-api'] as const;

export interface PlatformOptions {
  /** Number of processes of each service. Default: one. A test file without prompts sets 0 for the prompt API, which saves its start. */
  replicas?: Partial<Record<Exclude<ServiceName, 'gateway'>, number>>;
  /** Additional environment of every service and the gateway. */
  env?: Record<string, string>;
  /** A migrated database, which the installation drops at its end; it may have records. Default: a new database on the server of the test run. */
  database?: Pick<TestDatabase, 'url' | 'drop'>;
}

/** A whole installation with a new database: the built services behind the built gateway. */
export interface Platform {
  baseUrl: string;
  runtimeUrl: string;
  promptUrl: string;
  databaseUrl: string;
  /** A key with every scope and the plan professional. */
  apiKey: string;
  client: { client_id: string; client_secret: string };
  services: Service[];
  of(name: ServiceName): Service[];
  /** Returns the path of the file with a service's signing key. */
  keyFile(name: (typeof AREAS)[number]): string;
  operator: <Result = Record<string, string>>(...args: string[]) => Promise<Result>;
  /** Settings of the command line for the installation's database, files and keys. */
  operatorSettings: Record<'DATABASE_URL' | 'FILES_DIR' | 'KEY_FOLDER' | 'SECRETS_KEYS' | 'MIGRATIONS_DIR', string>;
  /** Returns the output of all processes of the installation. */
  output(): string;
  /** Ends the installation. @throws Error when the output of a process contains a secret that the tests have seen */
  stop(): Promise<void>;
}

export async function startPlatform({
  replicas = {},
  env = {},
  database: given,
}: PlatformOptions = {}): Promise<Platform> {
  const database = given ?? (await createTestDatabase());
  const folder = mkdtempSync(join(tmpdir(), 'millwright-acceptance-'));
  const call = <Result = Record<string, string>>(...args: string[]) => operator<Result>(database.url, ...args);
  const accounts = given ? await call<{ email: string }[]>('users', 'list') : [];
  if (!accounts.some(({ email }) => email === 'admin@localhost'))
    await call(
      'users',
      'create',
      '--email',
      'admin@localhost',
      '--name',
      'Admin',
      '--role',
      'admin',
      '--platform-admin',
    );
  const own = ['--user', 'admin@localhost', '--name', 'acceptance'];
  const [key, client] = await Promise.all([
    call('keys', 'create', ...own, '--plan', 'professional'),
    call<Platform['client']>('clients', 'create', ...own),
  ]);

  const [base, runtime, prompt] = [await freePort(), await freePort(), await freePort()];
  const bases = {
    BASE_URL: `http://localhost:${base}`,
    RUNTIME_URL: `http://localhost:${runtime}`,
    PROMPT_API_URL: `http://localhost:${prompt}`,
  };
  const planned: { name: (typeof AREAS)[number]; ports: { port: number; adminPort: number } }[] = [];
  for (const name of AREAS) {
    for (let i = 0; i < (replicas[name] ?? 1); i++)
      planned.push({ name, ports: { port: await freePort(), adminPort: await freePort() } });
  }
  const targets = (name: ServiceName) =>
    planned
      .filter((service) => service.name === name)
      .map(({ ports }) => `http://127.0.0.1:${ports.port}`)
      .join(',');
  const areaTargets = {
    PLATFORM_API_TARGETS: targets('platform-api'),
    RUNTIME_API_TARGETS: targets('runtime-api'),
    PROMPT_API_TARGETS: targets('prompt-api'),
  };
  const [keyFolder, filesFolder] = [join(folder, 'keys'), join(folder, 'files')];
  mkdirSync(keyFolder);
  const deviceCa = await writeDeviceCa(keyFolder);
  const secret = randomBytes(32).toString('base64');
  noteSecret(secret);
  const secretsKeys = `acceptance:${secret}`;
  const keyFile: Platform['keyFile'] = (name) => join(keyFolder, `${name}.pem`);
  // A stopping process announces its end, so that senders of requests choose another process. With one process of each service, the announcement has
  // no use, so its duration is 0.
  const isAlone = Object.values(replicas).every((count) => count <= 1);
  const ending: Record<string, string> = isAlone ? { SHUTDOWN_ANNOUNCE_MS: '0' } : {};
  const areas: Service[] = [];
  for (const name of AREAS) {
    writeFileSync(keyFile(name), newSigningKey(), { mode: 0o600 });
    for (const { ports } of planned.filter((service) => service.name === name)) {
      const settings = {
        ...databaseSettings(database.url),
        DATABASE_POOL_MAX: '6', // many processes share the database server of the tests
        TRUSTED_PROXY_HOPS: '1',
        SIGNING_KEY_FILE: keyFile(name),
        SECRETS_KEYS: secretsKeys,
        FILES_DIR: filesFolder,
        EGRESS_ALLOW_LOOPBACK: 'true',
        JOBS_OWNER: 'admin@localhost',
        ...areaTargets,
        ...deviceCa,
      };
      areas.push(createService(name, ports, { ...bases, ...settings, ...ending, ...env }));
    }
  }
  const gateway = createService(
    'gateway',
    { port: base, adminPort: await freePort() },
    {
      ...ending,
      ...env,
      ...bases,
      PORT: '', // the gateway listens on the ports of the base addresses
      ADMIN_AUTH_TARGETS: targets('admin-auth'),
      ...areaTargets,
      // The gateway needs an address for each service; nothing listens at this address.
      ...(areaTargets.PROMPT_API_TARGETS === '' && { PROMPT_API_TARGETS: `http://127.0.0.1:${await freePort()}` }),
    },
  );
  const services = [...areas, gateway];
  const output = () => services.map((service) => service.output()).join('');
  async function end() {
    await Promise.all(services.map((service) => service.terminate()));
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
  await Promise.all(services.map((service) => service.start())).catch(async (failure: unknown) => {
    await end();
    throw failure;
  });

  return {
    baseUrl: bases.BASE_URL,
    runtimeUrl: bases.RUNTIME_URL,
    promptUrl: bases.PROMPT_API_URL,
    databaseUrl: database.url,
    apiKey: key['key'] ?? '',
    client,
    services,
    keyFile,
    of: (name) => services.filter((service) => service.name === name),
    operator: call,
    operatorSettings: {
      DATABASE_URL: database.url,
      FILES_DIR: filesFolder,
      KEY_FOLDER: keyFolder,
      SECRETS_KEYS: secretsKeys,
      MIGRATIONS_DIR: fileURLToPath(new URL('../../prisma/migrations', import.meta.url)),
    },
    output,
    async stop() {
      await end();
      const causes = causesOfFailed(output());
      if (causes.length > 0) process.stdout.write(`answers of 5xx, and why:\n${causes.join('\n')}\n`);
      const telling = linesWithSecrets(output());
      if (telling.length > 0) throw new Error(`secrets were written:\n${telling.slice(0, 5).join('\n')}`);
    },
  };
}

function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  noteSecret(pem);
  return pem;
}
