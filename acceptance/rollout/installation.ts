import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmptyDatabase, freePort, redisUrl } from '@millwright/testing';
import { writeImageFiles } from '../../docker/image.mjs';
import { writeDeviceCa } from '../harness/device-ca.js';
import { operator } from '../harness/operator.js';
import { linesWithSecrets, noteSecret } from '../harness/secrets.js';
import type { ServiceName } from '../harness/service.js';
import { createDeployment, type Deployment, type Revision } from './deployment.js';
import { createEndpoints, type Endpoints } from './endpoints.js';
import type { Target } from './load.js';
import { readWorkload, type Reference, type Workload } from './manifests.js';
import { startPod, type Pod } from './pod.js';

export const NAMES = ['admin-auth', 'platform-api', 'runtime-api', 'prompt-api', 'gateway'] as const;

/** An installation of the production overlays on one machine. */
export interface Installation extends Target {
  deployments: Record<ServiceName, Deployment>;
  workloads: Record<ServiceName, Workload>;
  stop(): Promise<void>;
}

/**
 * Starts the rendered manifests on one machine, with these differences: other ports, addresses and contents of Secrets; a higher multiplier
 * of the rate limits, because a load test would exceed them; no TLS to the database, which is on this machine.
 *
 * @param replicas numbers of replicas that replace the overlay's minimum
 */
export async function startInstallation(replicas: Partial<Record<ServiceName, number>> = {}): Promise<Installation> {
  const database = await createEmptyDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'millwright-rollout-'));
  const call = <Result = Record<string, string>>(...args: string[]) => operator<Result>(database.url, ...args);
  const user = ['--user', 'operator@millwright.example.com'];
  await call('db', 'migrate');
  await call(
    'users',
    'create',
    '--email',
    user[1] as string,
    '--name',
    'Operator',
    '--role',
    'admin',
    '--platform-admin',
  );
  const { key = '' } = await call('keys', 'create', ...user, '--name', 'rollout', '--plan', 'professional');
  const client = await call<Installation['client']>('clients', 'create', ...user, '--name', 'rollout');

  const secrets = await makeSecrets(folder, database.url);
  const endpoints = {} as Record<ServiceName, Endpoints>;
  for (const name of NAMES) endpoints[name] = await createEndpoints();
  const workloads = Object.fromEntries(NAMES.map((name) => [name, readWorkload(name)])) as Record<
    ServiceName,
    Workload
  >;

  const pods: Pod[] = [];
  /** Stops every pod at once, then the servers behind them. */
  async function end() {
    await Promise.all(
      pods.map((pod) => {
        const gone = pod.remove();
        pod.kill();
        return gone;
      }),
    );
    await Promise.all(Object.values(endpoints).map((some) => some.close()));
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }

  async function start(name: ServiceName, revision: Revision): Promise<Pod> {
    const { template } = workloads[name];
    const ports = { http: await freePort(), admin: await freePort() };
    const env: Record<string, string> = { PATH: process.env['PATH'] ?? '', RATE_LIMIT_MULTIPLIER: '100000' };
    if (name === 'gateway') delete env['RATE_LIMIT_MULTIPLIER'];
    for (const [variable, value] of Object.entries(template.env)) env[variable] = localAddresses(value, endpoints);
    for (const [variable, reference] of Object.entries(template.references)) {
      const value = secretValue(secrets, reference);
      if (value !== undefined) env[variable] = value;
    }
    for (const [file, reference] of Object.entries(template.files))
      for (const [variable, value] of Object.entries(env))
        if (value === file) env[variable] = writeSecretFile(folder, secrets, reference);
    const ownPorts = { PORT: String(ports.http), ADMIN_PORT: String(ports.admin) };
    Object.assign(env, { HOST: '127.0.0.1', DATA_TLS: 'optional', ...ownPorts, ...revision });
    const pod = startPod({ template, env, ports, folder: join(folder, name) });
    pods.push(pod);
    return pod;
  }

  const started = NAMES.map(async (name) => {
    writeImageFiles(name, join(folder, name));
    const options = {
      workload: workloads[name],
      endpoints: endpoints[name],
      replicas: replicas[name] ?? workloads[name].minReplicas,
    };
    return [name, await createDeployment({ ...options, start: (revision) => start(name, revision) })] as const;
  });
  const made = await Promise.all(started).catch(async (failure: unknown) => {
    await end();
    throw failure;
  });
  const deployments = Object.fromEntries(made) as Record<ServiceName, Deployment>;
  const { env } = workloads.gateway.template;
  const hostOf = (variable: string) => new URL(env[variable] ?? '').host;

  return {
    url: `http://127.0.0.1:${endpoints.gateway.port}`,
    hosts: { base: hostOf('BASE_URL'), runtime: hostOf('RUNTIME_URL'), prompt: hostOf('PROMPT_API_URL') },
    origin: `https://${hostOf('BASE_URL')}`,
    apiKey: key,
    client,
    deployments,
    workloads,
    async stop() {
      await end();
      const telling = linesWithSecrets(pods.map((pod) => pod.output()).join(''));
      if (telling.length > 0) throw new Error(`secrets were written:\n${telling.slice(0, 5).join('\n')}`);
    },
  };
}

/** Replaces the addresses of Services, such as `http://runtime-api:3000`, by addresses on this machine. */
function localAddresses(value: string, endpoints: Record<ServiceName, Endpoints>): string {
  return value.replace(/http:\/\/([a-z-]+):3000/g, (address, name: string) =>
    name in endpoints ? `http://127.0.0.1:${endpoints[name as ServiceName].port}` : address,
  );
}

type Secrets = Record<string, Record<string, string>>;

async function makeSecrets(folder: string, databaseUrl: string): Promise<Secrets> {
  const key = randomBytes(32).toString('base64');
  noteSecret(key);
  const common = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl(), SECRETS_KEYS: `rollout:${key}` };
  const files = await writeDeviceCa(folder);
  const read = (variable: string) => readFileSync(files[variable] ?? '', 'utf8');
  return {
    'admin-auth-secrets': common,
    'platform-api-secrets': common,
    // The bucket is configured but not used by this test.
    'runtime-api-secrets': { ...common, FILES_S3_ACCESS_KEY_ID: 'none', FILES_S3_SECRET_ACCESS_KEY: 'none' },
    'prompt-api-secrets': common,
    'admin-auth-signing-key': { 'signing-key.pem': newSigningKey() },
    'runtime-api-signing-key': { 'signing-key.pem': newSigningKey() },
    'admin-auth-device-ca': { 'tls.key': read('DEVICE_CA_KEY_FILE'), 'tls.crt': read('DEVICE_CA_CERT_FILE') },
  };
}

/** @throws Error for a missing key, without which a cluster would not start the container. */
function secretValue(secrets: Secrets, { name, key, optional }: Reference): string | undefined {
  const value = secrets[name]?.[key];
  if (value === undefined && !optional) throw new Error(`there is no ${key} of ${name}`);
  return value;
}

function writeSecretFile(folder: string, secrets: Secrets, reference: Reference): string {
  const file = join(folder, 'secrets', reference.name, reference.key);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, secretValue(secrets, reference) ?? '', { mode: 0o600 });
  return file;
}

function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  noteSecret(pem);
  return pem;
}
