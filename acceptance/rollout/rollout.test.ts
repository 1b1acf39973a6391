import { existsSync, readFileSync } from 'node:fs';
import { until } from '../harness/until.js';
import { isFullRun } from './config.js';
import { NAMES, startInstallation, type Installation } from './installation.js';
import { prepareRequests, startLoad, type Failed, type Load } from './load.js';

/*
 * Tests the manifests and the services' shutdown: real processes of the built services behind the gateway are started, probed, signalled
 * and replaced under load, as the rendered production overlays state. Out of scope: nodes, schedulers, images and pull times; kube-proxy
 * and the kubelet, which are replaced by a connection forwarder that receives changes of readiness a second late, and by timers; TLS and
 * the Ingress or Gateway in front; two versions of the code, because both revisions run the same build; and failover of databases.
 */

const ENOUGH = isFullRun ? 20_000 : 500;
const AT_ONCE = isFullRun ? {} : { 'admin-auth': 0, 'runtime-api': 0, 'prompt-api': 0, gateway: 1 };
const ROLLED = isFullRun ? NAMES : (['platform-api'] as const);
const RUNNING = isFullRun ? NAMES : (['platform-api', 'gateway'] as const);

let installation: Installation;
let load: Load;
let failedInAll = 0;

beforeAll(async () => {
  installation = await startInstallation(AT_ONCE);
  load = startLoad(installation.url, await prepareRequests(installation));
  await load.everyoneIsThere;
});
afterAll(async () => {
  await load.stop();
  await installation.stop();
  process.stdout.write(`rollout: ${load.sent} requests, ${failedInAll} failed\n`);
});

/** Runs an action. @returns the requests that failed during the action or shortly after it, when a stopping pod still affects requests */
async function failedDuring(title: string, work: () => Promise<unknown>): Promise<readonly Failed[]> {
  const before = { sent: load.sent, failed: load.failed.length };
  await work();
  await untilSent(isFullRun ? 200 : 50);
  const failed = load.failed.slice(before.failed);
  process.stdout.write(`${title}: ${load.sent - before.sent} requests, ${failed.length} failed\n`);
  return failed;
}

function untilSent(more: number): Promise<true> {
  const enough = load.sent + more;
  return until(() => (load.sent >= enough ? true : undefined), 300_000);
}

/** Returns the number of requests that the gateway answered because a service did not answer. */
const unanswered = () => installation.deployments.gateway.output().split('"no answer from the service"').length - 1;

async function failsNone(title: string, work: () => Promise<unknown>): Promise<void> {
  const before = unanswered();
  const failed = await failedDuring(title, work);
  failedInAll += failed.length;
  expect({ failed, ...(failed.length > 0 && { complaints: complaints() }) }).toEqual({ failed: [] });
  expect(unanswered() - before).toBe(0);
}

/** Returns the last warnings and errors of the services. */
function complaints(): string[] {
  const lines = Object.values(installation.deployments).flatMap((deployment) => deployment.output().split('\n'));
  return lines.filter((line) => /"level":"(warn|error|fatal)"|"level":[456]0/.test(line)).slice(-20);
}

describe('a rolling update under load', () => {
  it.each(ROLLED)(
    'fails no request while it replaces the pods of %s, and every replaced pod exits within its grace period',
    async (name) => {
      const deployment = installation.deployments[name];
      const { graceMs } = installation.workloads[name].template;
      const old = deployment.pods;
      await failsNone(`rolled ${name} (${old.length} pods)`, async () => {
        await deployment.roll({ LOG_LEVEL: 'warn' });
        await deployment.settled();
      });
      expect(deployment.pods).toHaveLength(old.length);
      for (const pod of old) expect(deployment.pods).not.toContain(pod);
      expect(deployment.ended).toHaveLength(old.length);
      for (const { code, ms } of deployment.ended) expect([code, ms < graceMs]).toEqual([0, true]);
    },
    isFullRun ? 300_000 : 120_000,
  );

  it('keeps the old pods when the new revision never becomes ready, and rolls back without a failed request', async () => {
    const deployment = installation.deployments['platform-api'];
    const before = deployment.pods;
    await failsNone('rolled back platform-api', async () => {
      const broken = await deployment.beginRoll({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' });
      await untilSent(isFullRun ? 3_000 : 100);
      expect(broken.ready).toBe(false);
      deployment.remove(broken);
      await deployment.settled();
    });
    expect(deployment.pods).toEqual(before);
    for (const pod of before) expect([pod.ready, pod.starts]).toEqual([true, 1]);
  });
});

const further = () => {
  it('rolls the runtime API back to the former revision without a failed request', async () => {
    const deployment = installation.deployments['runtime-api'];
    await failsNone('rolled runtime-api to its former revision', async () => {
      await deployment.roll({});
      await deployment.settled();
    });
  });

  it('scales the runtime API from 1 to 3 pods and back to 1 without a failed request', async () => {
    const deployment = installation.deployments['runtime-api'];
    await deployment.scale(1);
    await deployment.settled();
    await failsNone('scaled runtime-api 1 → 3 → 1', async () => {
      await deployment.scale(3);
      await deployment.scale(1);
      await deployment.settled();
    });
    await deployment.scale(3);
  });

  it('answers 503 with Retry-After to requests that reach a killed pod, until the pod is ready again', async () => {
    const deployment = installation.deployments['platform-api'];
    const [pod] = deployment.pods;
    const failed = await failedDuring('killed one pod of platform-api', async () => {
      pod?.kill();
      await until(() => (pod?.starts === 2 && pod.ready ? true : undefined));
    });
    for (const { area, status, retryAfter } of failed)
      expect({ area, status, retryAfter }).toEqual({
        area: 'platform',
        status: 503,
        retryAfter: expect.stringMatching(/^\d+$/) as string,
      });
    expect(failed.length).toBeLessThan(100);
  });
};
if (isFullRun) describe('the installation, in the full run', further);

describe('the load of all updates', () => {
  it(`included at least ${ENOUGH} requests, none of which failed`, async () => {
    await failsNone('the rest', () => untilSent(Math.max(0, ENOUGH - load.sent)));
    expect(load.sent).toBeGreaterThanOrEqual(ENOUGH);
    expect(failedInAll).toBe(0);
  });
});

/** Returns a process's peak memory in bytes; undefined when the operating system does not report it. */
function peakMemoryOf(pid: number | undefined): number | undefined {
  const file = `/proc/${pid ?? 'none'}/status`;
  const [, kilobytes] = existsSync(file) ? (/VmHWM:\s+(\d+) kB/.exec(readFileSync(file, 'utf8')) ?? []) : [];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

describe('the peak memory of each pod', () => {
  it.each(RUNNING)('of the service %s stays below the memory limit of the container', (name) => {
    const { memoryLimit } = installation.workloads[name];
    const peaks = installation.deployments[name].pods.flatMap(({ pid }) => peakMemoryOf(pid) ?? []);
    const inMiB = (bytes: number) => Math.round(bytes / 2 ** 20);
    process.stdout.write(`${name}: at most ${inMiB(Math.max(0, ...peaks))} of ${inMiB(memoryLimit)} MiB\n`);
    for (const peak of peaks) expect(peak).toBeLessThan(memoryLimit);
    if (process.platform === 'linux') expect(peaks.length).toBeGreaterThan(0);
  });
});
