import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { asRole } from '@millwright/db';
import { createEmptyDatabase, freePort, redisUrl } from '@millwright/testing';
import type { Reachable } from '../harness/calls.js';
import { writeDeviceCa } from '../harness/device-ca.js';
import { linesWithSecrets, noteSecret, noteSecretsOf } from '../harness/secrets.js';
import { createService, type Service, type ServiceName } from '../harness/service.js';
import { createEndpoints, type Endpoints } from '../rollout/endpoints.js';

export const NAMES = ['gateway', 'admin-auth', 'platform-api', 'runtime-api', 'prompt-api'] as const;
export const VERSIONS = ['former', 'today'] as const;
export type Version = (typeof VERSIONS)[number];
/** For each service, the version of the process that answers requests. */
export type Combination = Record<ServiceName, Version>;

const EMAIL = 'operator@localhost';

/** One installation, with processes of two versions at once. */
export interface Installation extends Reachable {
  databaseUrl: string;
  /** Runs a command of a version's command line. */
  operator<Result = Record<string, string>>(version: Version, ...args: string[]): Promise<Result>;
  /** Starts every service of the version. */
  start(version: Version): Promise<void>;
  /** Sends new requests to the given version of each service. */
  use(combination: Combination): Promise<void>;
  /** Returns the number of requests that the version's process of a service has answered. */
  answered(name: ServiceName, version: Version): number;
  /** Returns the warnings and errors in the output of all processes. */
  complaints(): string[];
  stop(): Promise<void>;
}

const run = promisify(execFile);
const TODAY = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Creates an installation on an empty database; the former version applies its migrations. Each service connects with its own role, as in
 * production.
 *
 * @param folder for files and keys
 * @param former checkout of the former version, built
 */
export async function createInstallation(
  folder: string,
  former: string,
  env: Record<string, string>,
): Promise<Installation> {
  const checkouts: Record<Version, string> = { former, today: TODAY };
  const database = await createEmptyDatabase();
  const bases = { base: await createEndpoints(), runtime: await createEndpoints(), prompt: await createEndpoints() };
  const behind: Record<Exclude<ServiceName, 'gateway'>, Endpoints> = {
    'admin-auth': await createEndpoints(),
    'platform-api': await createEndpoints(),
    'runtime-api': await createEndpoints(),
    'prompt-api': await createEndpoints(),
  };
  const endpointsOf = (name: ServiceName): Endpoints[] => (name === 'gateway' ? Object.values(bases) : [behind[name]]);
  const addresses = {
    BASE_URL: `http://localhost:${bases.base.port}`,
    RUNTIME_URL: `http://localhost:${bases.runtime.port}`,
    PROMPT_API_URL: `http://localhost:${bases.prompt.port}`,
  };
  const target = (name: keyof typeof behind) => `http://127.0.0.1:${behind[name].port}`;
  const targets = {
    PLATFORM_API_TARGETS: target('platform-api'),
    RUNTIME_API_TARGETS: target('runtime-api'),
    PROMPT_API_TARGETS: target('prompt-api'),
  };
  const keys = join(folder, 'keys');
  mkdirSync(keys, { recursive: true });
  const deviceCa = await writeDeviceCa(keys);
  for (const name of NAMES) writeFileSync(join(keys, `${name}.pem`), newSigningKey(), { mode: 0o600 });
  const secret = randomBytes(32).toString('base64');
  noteSecret(secret);

  async function operator<Result>(version: Version, ...args: string[]): Promise<Result> {
    const program = join(checkouts[version], 'apps/cli/dist/main.js');
    const MIGRATIONS_DIR = join(checkouts[version], 'prisma/migrations');
    const own = { ...process.env, DATABASE_URL: database.url, MIGRATIONS_DIR };
    const { stdout } = await run(process.execPath, [program, ...args, '--json'], { env: own });
    const result = JSON.parse(stdout) as Result;
    noteSecretsOf(result);
    return result;
  }

  const services = new Map<string, Service>();
  const keyOf = (name: ServiceName, version: Version) => `${name} ${version}`;
  async function plan(name: ServiceName, version: Version): Promise<Service> {
    const ports = { port: await freePort(), adminPort: await freePort() };
    const common = { ...addresses, ...targets, ...env, RATE_LIMIT_MULTIPLIER: '100000' };
    const own = {
      DATABASE_URL: asRole(database.url, name),
      DATABASE_POOL_MAX: '6',
      REDIS_URL: redisUrl(),
      TRUSTED_PROXY_HOPS: '1',
      SIGNING_KEY_FILE: join(keys, `${name}.pem`),
      SECRETS_KEYS: `upgrade:${secret}`,
      FILES_DIR: join(folder, 'files'),
      EGRESS_ALLOW_LOOPBACK: 'true',
      JOBS_OWNER: EMAIL,
      ...deviceCa,
    };
    const settings = name === 'gateway' ? { ADMIN_AUTH_TARGETS: target('admin-auth') } : own;
    return createService(name, ports, { ...common, ...settings }, checkouts[version]);
  }

  await operator('former', 'db', 'migrate', '--roles');
  await operator(
    'former',
    'users',
    'create',
    '--email',
    EMAIL,
    '--name',
    'Operator',
    '--role',
    'admin',
    '--platform-admin',
  );
  const { key } = await operator<{ key: string }>('former', 'keys', 'create', '--user', EMAIL, '--name', 'upgrade');
  const client = await operator<Installation['client']>(
    'former',
    'clients',
    'create',
    '--user',
    EMAIL,
    '--name',
    'upgrade',
  );
  const output = () => [...services.values()].map((service) => service.output()).join('');

  return {
    baseUrl: addresses.BASE_URL,
    runtimeUrl: addresses.RUNTIME_URL,
    promptUrl: addresses.PROMPT_API_URL,
    apiKey: key,
    client,
    databaseUrl: database.url,
    operator,
    async start(version) {
      const planned = await Promise.all(NAMES.map(async (name) => [name, await plan(name, version)] as const));
      for (const [name, service] of planned) services.set(keyOf(name, version), service);
      await Promise.all(planned.map(([, service]) => service.start()));
    },
    async use(combination) {
      for (const name of NAMES) {
        const { url } = services.get(keyOf(name, combination[name])) as Service;
        const pods = [{ port: Number(new URL(url).port), listed: true }];
        for (const endpoints of endpointsOf(name)) endpoints.pods = pods;
      }
      await Promise.all(NAMES.flatMap(endpointsOf).map((endpoints) => endpoints.disconnect()));
    },
    answered: (name, version) =>
      (
        services
          .get(keyOf(name, version))
          ?.output()
          .match(/"msg":"request"/g) ?? []
      ).length,
    complaints: () =>
      output()
        .split('\n')
        .filter((line) => /"level":"(warn|error|fatal)"/.test(line)),
    async stop() {
      await Promise.all([...services.values()].map((service) => service.terminate()));
      await Promise.all(NAMES.flatMap(endpointsOf).map((endpoints) => endpoints.close()));
      await database.drop();
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
