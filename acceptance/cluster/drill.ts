import { createServer, type Server } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PUBLIC_ADDRESS } from '../../k8s/cluster/network.mjs';
import { FORMER_TAG, TAG, type Prepared } from './run.mjs';
import { createBrowser, personAt } from '../harness/browser.js';
import { callers, type Reachable } from '../harness/calls.js';
import { until } from '../harness/until.js';
import { prepareRequests, startLoad, type Failed, type Load } from '../rollout/load.js';
import { startCluster, type Cluster } from './cluster.js';
import {
  BASES,
  createLogins,
  createSecrets,
  forwardBases,
  OWNER,
  sql,
  startClusterPods,
  startCommandLine,
  untilAvailable,
  untilComplete,
} from './installation.js';
import { AREAS, createManifests, migrateJob, type Area, type Manifests } from './manifests.js';
import { startMetrics } from './metrics.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- objects of Kubernetes are read as they are */
/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-member-access, typescript/no-unsafe-argument, typescript/no-unsafe-return -- objects of Kubernetes have no types here */

/*
 * npm run cluster:nodes: runs the former release on a Kubernetes with three nodes that run containers, upgrades it under load, and does to
 * pods what an operator and a cluster do. Stand-ins for other programs: rules of nftables for kube-proxy and for a network plugin with
 * NetworkPolicies, folders for volumes, dnsmasq for CoreDNS, a server of the kubelets' figures for metrics-server
 * (k8s/cluster/services.mjs, metrics.ts). The nodes share one machine. Not part of the drill: TLS, the controller of a Gateway or Ingress,
 * an image registry.
 */

const ENOUGH = Number(process.env['CLUSTER_REQUESTS'] ?? 20_000);
/**
 * Number of clients. acceptance/rollout has more clients, because its pods are only processes. Here three kubelets, an API server and twice as
 * many probes need CPU time of the same machine.
 */
const CLIENTS = 20;
const prepared = JSON.parse(readFileSync(process.env['CLUSTER'] ?? '', 'utf8')) as Prepared;
const figures: Record<string, string>[] = [];
let cluster: Cluster;
let manifests: Manifests;
let proxy: string;
let installation: Reachable;
let logins: Record<string, string>;
let load: Load;
let stopLoad: () => Promise<void> = () => Promise.resolve();
/** Functions that end the cluster and the other programs that the drill has started. */
const ends: (() => unknown)[] = [];
let failedInAll = 0;
let agentId = '';

const own = ['-n', 'millwright'];
const kubectl = (...args: string[]) => cluster.kubectl([...own, ...args]);

/** Prints a step's time, and adds it to the table at the end. */
async function timed<Result>(step: string, work: () => Promise<Result>, further = ''): Promise<Result> {
  const since = performance.now();
  const result = await work();
  note(step, `${((performance.now() - since) / 1_000).toFixed(1)} s`, further);
  return result;
}
function note(step: string, value: string, further = '') {
  figures.push({ step, value, further });
  process.stdout.write(`${step}: ${value}${further && `; ${further}`}\n`);
}

beforeAll(async () => {
  manifests = createManifests(prepared);
  await timed('three nodes ready, with all images', async () => {
    cluster = await startCluster(prepared);
    ends.push(cluster.stop);
  });
  note('Kubernetes', cluster.version, `former release: ${prepared.formerCommit}`);
  proxy = await timed('server of names and proxy ready', () => startClusterPods(cluster, prepared));
  const bases = await forwardBases(proxy);
  ends.push(bases.close);
}, 600_000);
afterAll(async () => {
  await stopLoad();
  for (const end of ends.reverse()) await end();
  const log = join(prepared.folder, 'services.log');
  const slow = existsSync(log) ? (readFileSync(log, 'utf8').match(/took \d+ ms/g) ?? []) : [];
  note('updates of addresses and policies over 2 s', String(slow.length), slow.join(', '));
  process.stdout.write(
    `${figures.map(({ step, value, further }) => `| ${step} | ${value} | ${further} |`).join('\n')}\n`,
  );
});

const PATHS = AREAS.map((area) => `areas/${area}/overlays/dev`);

describe('an installation of the former release', () => {
  it('starts with the commands of docs/runbooks/deploy.md', async () => {
    await cluster.apply(manifests.former('platform/overlays/dev'));
    logins = await createSecrets(cluster);
    await timed('database ready', () => kubectl('rollout', 'status', 'statefulset/postgres', '--timeout=300s'));
    await cluster.apply(manifests.former('migrate/overlays/dev'));
    await timed('migrate Job complete', () => untilComplete(cluster, migrateJob(FORMER_TAG)));
    await createLogins(cluster, logins);
    await timed('all services available', async () => {
      await cluster.apply(manifests.former('overlays/dev'));
      // A Deployment begins with one pod; later its autoscaler sets the number of pods.
      await until(async () =>
        (await cluster.list('deployments')).every(({ spec }) => spec.replicas >= 2) ? true : undefined,
      );
      await untilAvailable(cluster, AREAS);
    });
    const pods = await cluster.list(
      'pods',
      '-l',
      'app.kubernetes.io/name in (admin-auth,platform-api,runtime-api,prompt-api,gateway)',
    );
    note('pods of services', String(pods.length), `on ${new Set(pods.map(({ spec }) => spec.nodeName)).size} nodes`);
    for (const area of AREAS)
      expect(
        new Set(
          pods
            .filter(({ metadata }) => metadata.labels['app.kubernetes.io/name'] === area)
            .map(({ spec }) => spec.nodeName),
        ).size,
      ).toBe(2);
  }, 900_000);

  it('signs its owner in with a passkey, after the command line has created a setup link', async () => {
    const cli = await startCommandLine(cluster);
    const { token = '' } = await cli.millwright('setup-token', 'create', '--email', OWNER);
    const person = personAt(createBrowser([BASES.baseUrl], BASES.baseUrl), BASES.baseUrl);
    await timed('sign-in by passkey', async () => {
      await person.enrol(token);
      await person.signIn();
      await person.stepUp();
    });
    const { key = '' } = await cli.millwright(
      'keys',
      'create',
      '--user',
      OWNER,
      '--name',
      'drill',
      '--plan',
      'professional',
    );
    const client = await cli.millwright<Reachable['client']>('clients', 'create', '--user', OWNER, '--name', 'drill');
    installation = { ...BASES, apiKey: key, client };
    await cli.end();
  });

  it('runs an agent', async () => {
    const call = callers(installation);
    const agent = await call.platform<{ id: string }>('/agents', { body: { name: 'Guide', description: 'Helps' } });
    expect([agent.status, agent.text]).toEqual([201, agent.text]);
    agentId = agent.body.id;
    await timed('a run of an agent', async () => {
      const { status, body } = await call.runtime<{ id: string }>('/api/v1/runs', {
        body: { agent: 'guide', content: 'What is a mill?' },
      });
      expect(status).toBe(202);
      const state = await until(async () => {
        const run = await call.runtime<{ state: string }>(`/api/v1/runs/${body.id}`);
        return ['completed', 'failed'].includes(run.body.state) ? run.body.state : undefined;
      });
      expect(state).toBe('completed');
    });
  });
});

/** Runs an action. @returns the requests that failed during the action or shortly after it */
async function failedDuring(step: string, work: () => Promise<unknown>): Promise<readonly Failed[]> {
  const before = { sent: load.sent, failed: load.failed.length };
  const since = performance.now();
  await work();
  await untilSent(200);
  const failed = load.failed.slice(before.failed);
  note(
    step,
    `${((performance.now() - since) / 1_000).toFixed(1)} s`,
    `${load.sent - before.sent} requests, ${failed.length} failed`,
  );
  return failed;
}
function untilSent(more: number): Promise<true> {
  const enough = load.sent + more;
  return until(() => (load.sent >= enough ? true : undefined), 600_000);
}
async function failsNone(step: string, work: () => Promise<unknown>): Promise<void> {
  const failed = await failedDuring(step, work);
  failedInAll += failed.length;
  expect(failed.length > 0 ? { failed: kindsOf(failed), warnings: (await cluster.warnings()).slice(-10) } : {}).toEqual(
    {},
  );
}
/** Counts failed requests by service, status and the first words of the reason. */
function kindsOf(failed: readonly Failed[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { area, kind, status, why } of failed) {
    const name = `${kind} of ${area}: ${status ?? ''} ${why.slice(0, 120)}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

describe('a cluster under constant requests', () => {
  beforeAll(async () => {
    const hostOf = (address: string) => new URL(address).host;
    const hosts = { base: hostOf(BASES.baseUrl), runtime: hostOf(BASES.runtimeUrl), prompt: hostOf(BASES.promptUrl) };
    const { apiKey, client } = installation;
    const url = `http://${proxy}:3000`;
    const requests = await prepareRequests({ url, hosts, origin: BASES.baseUrl, apiKey, client });
    load = startLoad(url, requests, CLIENTS);
    stopLoad = () => load.stop();
    await load.everyoneIsThere;
  });

  it('answers every request while the schema, and then one service after the other, is upgraded to this release', async () => {
    await failsNone('upgrade of the schema', async () => {
      await cluster.apply(manifests.of('migrate/overlays/dev'));
      await untilComplete(cluster, migrateJob(TAG));
    });
    for (const [index, path] of PATHS.entries())
      await failsNone(`upgrade of ${AREAS[index]}`, async () => {
        await cluster.apply(manifests.of(path));
        await untilAvailable(cluster, [AREAS[index] as Area]);
      });
    const pods = await cluster.list(
      'pods',
      '-l',
      'app.kubernetes.io/name in (admin-auth,platform-api,runtime-api,prompt-api,gateway)',
    );
    const running = pods.filter(({ metadata }) => !metadata.deletionTimestamp);
    for (const { spec } of running)
      expect(spec.containers[0].image).toBe(`millwright/${spec.serviceAccountName}:${TAG}`);
  }, 1_800_000);

  it('still has the data from before the upgrade', async () => {
    const agent = await callers(installation).platform<{ name: string }>(`/agents/${agentId}`);
    expect([agent.status, agent.body.name]).toEqual([200, 'Guide']);
  });

  it.each(AREAS)(
    'answers every request during a rolling restart of %s',
    async (area) => {
      await failsNone(`rolled ${area}`, async () => {
        await kubectl('rollout', 'restart', `deployment/${area}`);
        await untilAvailable(cluster, [area]);
      });
    },
    600_000,
  );

  it('keeps the former pods when a new version cannot start, and answers every request until the rollback is complete', async () => {
    await failsNone('rolled platform-api back', async () => {
      await kubectl('set', 'image', 'deployment/platform-api', 'app=millwright/platform-api:0.0.0');
      await until(async () => {
        const pods = await cluster.list('pods', '-l', 'app.kubernetes.io/name=platform-api');
        return pods.some(({ status }) => /ImagePull/.test(status.containerStatuses?.[0]?.state.waiting?.reason ?? ''))
          ? true
          : undefined;
      }, 180_000);
      await kubectl('rollout', 'undo', 'deployment/platform-api');
      await untilAvailable(cluster, ['platform-api']);
    });
  }, 600_000);

  it('answers every request while a node is drained, with at least one available pod of each service', async () => {
    const before = await cluster.list('pods', '--field-selector', 'spec.nodeName=node-3');
    let least = Number.POSITIVE_INFINITY;
    let drains = true;
    const watch = async () => {
      while (drains) {
        const deployments = await cluster.list('deployments');
        least = Math.min(
          least,
          ...deployments.map(({ status }) => (status.availableReplicas as number | undefined) ?? 0),
        );
        await delay(300);
      }
    };
    const watching = watch();
    await failsNone(`drained node-3 of ${before.length} pods`, async () => {
      await cluster.kubectl(['drain', 'node-3', '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=600s']);
      await untilAvailable(cluster, AREAS);
    });
    drains = false;
    await watching;
    expect(least).toBeGreaterThanOrEqual(1);
    expect(await cluster.list('pods', '--field-selector', 'spec.nodeName=node-3')).toEqual([]);
    await cluster.kubectl(['uncordon', 'node-3']);
  }, 1_200_000);

  it.each(['platform-api', 'gateway'] as const)(
    'fails fewer than 100 requests when a pod of %s is killed, until the pod is replaced',
    async (area) => {
      const [pod] = await cluster.list('pods', '-l', `app.kubernetes.io/name=${area}`);
      const failed = await failedDuring(`killed a pod of ${area}`, async () => {
        await kubectl('delete', 'pod', pod.metadata.name, '--grace-period=0', '--force');
        await untilAvailable(cluster, [area]);
      });
      for (const { status } of failed) expect([undefined, 502, 503]).toContain(status);
      expect(failed.length).toBeLessThan(100);
    },
    600_000,
  );

  it(`has received at least ${ENOUGH} requests; none failed except while a killed pod was replaced`, async () => {
    await failsNone('the rest', () => untilSent(Math.max(0, ENOUGH - load.sent)));
    note('requests in all', String(load.sent), `${failedInAll} failed besides those of killed pods`);
    expect(load.sent).toBeGreaterThanOrEqual(ENOUGH);
    expect(failedInAll).toBe(0);
  }, 900_000);
});

describe('the autoscalers', () => {
  it('receive CPU figures from the kubelets, and add a pod to a service whose pods are busy', async () => {
    await stopLoad();
    const stop = await startMetrics(cluster, prepared);
    try {
      const pods = await cluster.list('pods', '-l', 'app.kubernetes.io/name=platform-api');
      // Makes the pods busy by a program that runs beside the service in each container. The program ends by itself.
      const busy = pods.map(({ metadata }) =>
        kubectl(
          'exec',
          metadata.name as string,
          '--',
          'node',
          '-e',
          'const until = Date.now() + 150_000; while (Date.now() < until);',
        ),
      );
      const figure = (hpa: any) =>
        hpa.status.currentMetrics?.[0]?.resource?.current?.averageUtilization as number | undefined;
      const all = await timed('autoscalers have figures, and one scales', () =>
        until(async () => {
          const scalers = await cluster.list('horizontalpodautoscalers');
          const grown = scalers.find(({ metadata }) => metadata.name === 'platform-api')?.status.desiredReplicas === 3;
          return grown && scalers.every((hpa) => figure(hpa) !== undefined) ? scalers : undefined;
        }, 300_000),
      );
      note(
        'autoscalers',
        all.map((hpa) => `${hpa.metadata.name} ${figure(hpa)} %, ${hpa.status.desiredReplicas} pods`).join('; '),
      );
      await untilAvailable(cluster, AREAS);
      await Promise.all(busy);
    } finally {
      stop();
      await cluster.kubectl(['delete', 'apiservice', 'v1beta1.metrics.k8s.io']);
    }
  }, 600_000);
});

describe('the NetworkPolicies', () => {
  let servers: Server[] = [];
  const addresses: Record<string, string> = {};
  beforeAll(async () => {
    await stopLoad();
    servers = await Promise.all(
      [443, 80].map(
        (port) =>
          new Promise<Server>((resolve) => {
            const server = createServer((_request, response) => response.end());
            server.listen(port, PUBLIC_ADDRESS, () => resolve(server));
          }),
      ),
    );
    for (const area of AREAS) {
      const pods = await cluster.list('pods', '-l', `app.kubernetes.io/name=${area}`);
      addresses[area] = pods.find(({ metadata }) => !metadata.deletionTimestamp)?.status.podIP;
    }
  });
  afterAll(() => servers.forEach((server) => void server.close()));

  const CONNECT = `const [, host, port] = process.argv; const socket = require('node:net').connect({ host, port: Number(port) });
    socket.once('connect', () => { console.log('open'); process.exit(0); });
    socket.once('error', ({ code }) => { console.log(code); process.exit(0); });
    setTimeout(() => { console.log('dropped'); process.exit(0); }, 3000);`;
  /** Connections to try: source, target address, port, and whether the policies admit the connection. */
  const wanted: [string, string, number, boolean][] = [
    ['ingress/proxy', 'gateway', 3000, true],
    ['ingress/proxy', 'platform-api', 3000, false],
    ['ingress/proxy', 'gateway', 9090, false],
    ['monitoring/client', 'runtime-api', 9090, true],
    ['monitoring/client', 'runtime-api', 3000, false],
    ['default/client', 'gateway', 3000, false],
    ['default/client', 'postgres', 5432, false],
    ['gateway', 'admin-auth', 3000, true],
    ['gateway', 'postgres', 5432, false],
    ['admin-auth', 'platform-api', 3000, true],
    ['admin-auth', 'runtime-api', 3000, true],
    ['platform-api', 'runtime-api', 3000, false],
    ['platform-api', 'postgres', 5432, true],
    ['platform-api', 'redis', 6379, true],
    ['runtime-api', PUBLIC_ADDRESS, 443, true],
    ['runtime-api', PUBLIC_ADDRESS, 80, false],
    ['runtime-api', '169.254.169.254', 443, false],
    ['runtime-api', '10.200.0.1', 443, false],
    ['gateway', PUBLIC_ADDRESS, 443, false],
  ];
  it.each(wanted)('decide whether to admit a connection from %s to %s:%s: %s', async (from, to, port, isLetThrough) => {
    const [namespace, pod] = from.includes('/') ? from.split('/') : ['millwright', `deployment/${from}`];
    const host = addresses[to] ?? (to.includes('.') ? to : `${to}.millwright.svc.cluster.local`);
    const outcome = await cluster.kubectl([
      '-n',
      namespace ?? '',
      'exec',
      pod ?? '',
      '--',
      'node',
      '-e',
      CONNECT,
      host,
      String(port),
    ]);
    if (isLetThrough) expect(outcome.trim()).toBe('open');
    else expect(['dropped', 'EHOSTUNREACH', 'ENETUNREACH']).toContain(outcome.trim());
  });
});

describe('a backup and its restore', () => {
  it('bring back the data that was lost with the database', async () => {
    await stopLoad();
    await cluster.apply(manifests.with('migrate/overlays/dev', 'backup'));
    await timed('backup Job complete', async () => {
      await kubectl('create', 'job', 'backup-now', '--from=cronjob/migrate-backup');
      await untilComplete(cluster, 'backup-now');
    });
    const skills = async () => Number(await sql(cluster, 'SELECT count(*) FROM skills'));
    const before = await skills();
    expect(before).toBeGreaterThan(0);
    await timed('lost database restored, services available', async () => {
      await kubectl('delete', 'hpa', '--all');
      await kubectl('scale', 'deployment', '--all', '--replicas=0');
      await kubectl(
        'wait',
        '--for=delete',
        'pod',
        '-l',
        'app.kubernetes.io/name in (admin-auth,platform-api,runtime-api,prompt-api,gateway)',
        '--timeout=200s',
      );
      await sql(cluster, 'DROP DATABASE millwright WITH (FORCE); CREATE DATABASE millwright;', 'postgres');
      const pod = await startCommandLine(cluster, 'restore');
      const [file = ''] = (await pod.exec('ls', '/backups')).trim().split('\n');
      const passphrase = ['--passphrase-file', '/run/backup/passphrase'];
      const restored = await pod.millwright<{ rows: number; seconds: number }>(
        'restore',
        `/backups/${file}`,
        '--without-files',
        ...passphrase,
      );
      note('restored rows', String(restored.rows), `${restored.seconds} s`);
      await pod.millwright('db', 'migrate', '--roles');
      await pod.millwright('audit', 'verify');
      await pod.end();
      await cluster.apply(manifests.of('overlays/dev'));
      await kubectl('scale', 'deployment', '--all', '--replicas=2');
      await untilAvailable(cluster, AREAS);
    });
    expect(await skills()).toBe(before);
    const agent = await callers(installation).platform<{ name: string }>(`/agents/${agentId}`);
    expect([agent.status, agent.body.name]).toEqual([200, 'Guide']);
  }, 900_000);
});

describe('all pods', () => {
  it('were admitted by the API server, and no container was restarted or killed for lack of memory', async () => {
    const pods = await cluster.list('pods');
    for (const { metadata, status } of pods)
      for (const { lastState, restartCount } of status.containerStatuses ?? [])
        expect([metadata.name, restartCount, lastState.terminated?.reason]).toEqual([metadata.name, 0, undefined]);
    expect((await cluster.warnings()).filter((text) => /FailedCreate|PodSecurity|quota|OOM/.test(text))).toEqual([]);
  });
});
