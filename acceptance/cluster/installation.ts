import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Prepared } from './run.mjs';
import { DNS_ADDRESS } from '../../k8s/cluster/network.mjs';
import { writeDeviceCa } from '../harness/device-ca.js';
import { until } from '../harness/until.js';
import type { Cluster } from './cluster.js';
import { STABLE_NODE } from './manifests.js';

export const OWNER = 'operator@millwright.example.com';
/** The base addresses of the development overlay. */
export const BASES = {
  baseUrl: 'http://localhost:8080',
  runtimeUrl: 'http://localhost:8081',
  promptUrl: 'http://localhost:8082',
};
const LOGINS = ['admin_auth', 'platform_api', 'runtime_api', 'prompt_api'];
const password = () => randomBytes(12).toString('hex');

/**
 * Starts the pods that a real cluster would provide: a name server and, in the namespace `ingress`, the proxy that clients connect to.
 * @returns the address of the proxy's pod
 */
export async function startClusterPods({ kubectl }: Cluster, { images }: Prepared): Promise<string> {
  const pod = (name: string, namespace: string, labels: object, container: object, volumes: object[] = []) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels },
    spec: {
      nodeName: STABLE_NODE,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 1,
      containers: [{ name: 'app', imagePullPolicy: 'Never', ...container }],
      volumes,
    },
  });
  const namespace = (name: string, labels: object) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels },
  });
  const objects = [
    namespace('ingress', { 'millwright/ingress': 'true' }),
    namespace('monitoring', { 'millwright/monitoring': 'true' }),
    pod(
      'names',
      'kube-system',
      { 'k8s-app': 'kube-dns' },
      { image: images.names, volumeMounts: [{ name: 'names', mountPath: '/names', readOnly: true }] },
      [{ name: 'names', hostPath: { path: '/var/lib/volumes/names' } }],
    ),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'kube-dns', namespace: 'kube-system' },
      spec: {
        clusterIP: DNS_ADDRESS,
        selector: { 'k8s-app': 'kube-dns' },
        ports: [
          { name: 'udp', port: 53, protocol: 'UDP' },
          { name: 'tcp', port: 53, protocol: 'TCP' },
        ],
      },
    },
    pod('proxy', 'ingress', { app: 'proxy' }, { image: images.node, command: ['node', '-e', PROXY] }),
    ...['monitoring', 'default'].map((name) =>
      pod('client', name, { app: 'client' }, { image: images.node, command: ['sleep', 'infinity'] }),
    ),
  ];
  await until(() => kubectl(['get', 'serviceaccount', 'default']).catch(() => undefined));
  await kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  for (const [name, of] of [
    ['names', 'kube-system'],
    ['proxy', 'ingress'],
    ['client', 'monitoring'],
    ['client', 'default'],
  ])
    await kubectl(['-n', of ?? '', 'wait', '--for=condition=ready', '--timeout=180s', `pod/${name}`]);
  return kubectl(['-n', 'ingress', 'get', 'pod', 'proxy', '-o', 'jsonpath={.status.podIP}']);
}

/** A program that forwards each connection to the gateway's Service, as a TLS terminator does after it has removed TLS. */
const PROXY = `const { connect, createServer } = require('node:net');
createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
  const gateway = connect({ host: 'gateway.millwright.svc.cluster.local', port: 3000, allowHalfOpen: true, noDelay: true });
  client.pipe(gateway).pipe(client);
  client.on('error', () => gateway.destroy());
  gateway.on('error', () => client.resetAndDestroy());
}).listen(3000);`;

/** Listens on the ports of the base addresses, to which browsers and programs connect, and forwards their connections to the proxy. */
export async function forwardBases(proxy: string): Promise<{ close: () => void }> {
  const servers = await Promise.all(
    Object.values(BASES).map(
      (address) =>
        new Promise<Server>((resolve, reject) => {
          const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
            const upstream = connect({ host: proxy, port: 3000, allowHalfOpen: true, noDelay: true });
            client.pipe(upstream).pipe(client);
            client.on('error', () => upstream.destroy());
            upstream.on('error', () => client.resetAndDestroy());
          });
          server.once('error', reject);
          server.listen(Number(new URL(address).port), () => resolve(server));
        }),
    ),
  );
  return { close: () => servers.forEach((server) => void server.close()) };
}

/** Creates the Secrets of docs/runbooks/deploy.md, for the development overlay. */
export async function createSecrets({ apply }: Cluster) {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-cluster-secrets-'));
  const deviceCa = await writeDeviceCa(folder);
  const read = (variable: string) => readFileSync(deviceCa[variable] ?? '', 'utf8');
  const owner = password();
  const logins = Object.fromEntries(LOGINS.map((name) => [name, password()]));
  const ring = `drill:${randomBytes(32).toString('base64')}`;
  const address = (login: string, of: string) => `postgresql://${login}:${of}@postgres:5432/millwright`;
  const secret = (name: string, stringData: Record<string, string>, type = 'Opaque') => ({
    apiVersion: 'v1',
    kind: 'Secret',
    type,
    metadata: { name, namespace: 'millwright' },
    stringData,
  });
  const signingKey = () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return { 'signing-key.pem': privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
  };
  await apply([
    secret('postgres-secrets', { POSTGRES_PASSWORD: owner }),
    secret('migrate-secrets', { DATABASE_URL: address('millwright', owner) }),
    ...LOGINS.map((login) =>
      secret(`${login.replace('_', '-')}-secrets`, {
        DATABASE_URL: address(login, logins[login] ?? ''),
        REDIS_URL: 'redis://redis:6379',
        SECRETS_KEYS: ring,
      }),
    ),
    secret('admin-auth-signing-key', signingKey()),
    secret('runtime-api-signing-key', signingKey()),
    secret(
      'admin-auth-device-ca',
      { 'tls.key': read('DEVICE_CA_KEY_FILE'), 'tls.crt': read('DEVICE_CA_CERT_FILE') },
      'kubernetes.io/tls',
    ),
    secret('backup-passphrase', { passphrase: randomBytes(32).toString('base64') }),
  ]);
  rmSync(folder, { recursive: true, force: true });
  return logins;
}

/** Runs SQL as the schema's owner, in the database's pod. */
export const sql = ({ kubectl }: Cluster, text: string, database = 'millwright'): Promise<string> =>
  kubectl(
    [
      ...['-n', 'millwright', 'exec', '-i', 'postgres-0', '--'],
      ...['psql', '-h', '/var/run/postgresql', '-U', 'millwright', '-d', database, '-v', 'ON_ERROR_STOP=1', '-AtqX'],
    ],
    text,
  );

/** Creates the logins of the services, each with its role, as docs/runbooks/deploy.md does. */
export const createLogins = (cluster: Cluster, logins: Record<string, string>) =>
  sql(
    cluster,
    Object.entries(logins)
      .map(([name, secret]) => `CREATE ROLE ${name} LOGIN PASSWORD '${secret}' IN ROLE millwright_${name};\n`)
      .join(''),
  );

/**
 * Starts a pod for the command line from a CronJob.
 *
 * @returns functions that run commands in the pod: `exec` returns text, `millwright` parsed JSON
 */
export async function startCommandLine({ kubectl }: Cluster, job: 'cli' | 'restore' = 'cli') {
  const own = ['-n', 'millwright'];
  await kubectl([...own, 'create', 'job', job, `--from=cronjob/migrate-${job}`]);
  await until(() =>
    kubectl([...own, 'wait', '--for=condition=ready', '--timeout=120s', 'pod', '-l', `job-name=${job}`]).catch(
      (error: unknown) => {
        if (/no matching resources/.test(String(error))) return undefined;
        throw error;
      },
    ),
  );
  const exec = (...command: string[]) => kubectl([...own, 'exec', `job/${job}`, '--', ...command]);
  return {
    exec,
    millwright: async <Result = Record<string, string>>(...args: string[]): Promise<Result> =>
      JSON.parse(await exec('node', 'main.js', ...args, '--json')) as Result,
    end: () => kubectl([...own, 'delete', 'job', job]),
  };
}

export const untilComplete = ({ kubectl }: Cluster, job: string) =>
  kubectl(['-n', 'millwright', 'wait', '--for=condition=complete', '--timeout=600s', `job/${job}`]);

export async function untilAvailable({ kubectl }: Cluster, deployments: readonly string[]) {
  for (const name of deployments)
    await kubectl(['-n', 'millwright', 'rollout', 'status', `deployment/${name}`, '--timeout=600s']);
}
