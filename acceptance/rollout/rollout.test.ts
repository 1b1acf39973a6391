import { until } from '../harness/until.js';
import { isFullRun } from './config.js';
import { NAMES, startInstallation, type Installation } from './installation.js';
import { prepareRequests, startLoad, type Load, type Requests } from './load.js';

/*
 * Real processes of the built services, started, probed, signalled and replaced as the rendered production overlays say,
 * behind the gateway, under load: a test of our manifests and of how our services stop.
 *
 * What it does not show: nodes, schedulers, images and pull times; kube-proxy and the kubelet, for which stand a
 * connection forwarder that hears a second late which pods are ready, and timers; TLS and the Ingress or Gateway in
 * front; two versions of the code, for both revisions run the same build; and databases that fail over.
 */

const ENOUGH = isFullRun ? 20_000 : 1_000;
const AT_ONCE = isFullRun ? {} : { 'admin-auth': 1, 'runtime-api': 1, 'prompt-api': 1, gateway: 1 };
const ROLLED = isFullRun ? NAMES : (['platform-api'] as const);

let installation: Installation;
let requests: Requests;
const total = { sent: 0, failed: 0 };

beforeAll(async () => {
  installation = await startInstallation(AT_ONCE);
  requests = await prepareRequests(installation);
}, 120_000);
afterAll(async () => {
  await installation.stop();
  process.stdout.write(`rollout: ${total.sent} requests, ${total.failed} failed\n`);
}, 120_000);

async function underLoad(title: string, work: (load: Load) => Promise<void>): Promise<Load> {
  const load = startLoad(installation.url, requests);
  try {
    await work(load);
    // What a stopping pod still did is seen only by requests that come after it.
    const after = load.sent + 200;
    await until(() => (load.sent >= after ? true : undefined));
  } finally {
    await load.stop();
  }
  total.sent += load.sent;
  process.stdout.write(`${title}: ${load.sent} requests, ${load.failed.length} failed\n`);
  return load;
}

async function failsNone(title: string, work: (load: Load) => Promise<void>): Promise<Load> {
  const load = await underLoad(title, work);
  total.failed += load.failed.length;
  expect({ failed: load.failed, ...(load.failed.length > 0 && { complaints: complaints() }) }).toEqual({ failed: [] });
  return load;
}

/** What the services said of it: their last warnings and errors. */
function complaints(): string[] {
  const lines = Object.values(installation.deployments).flatMap((deployment) => deployment.output().split('\n'));
  return lines.filter((line) => /"level":"(warn|error|fatal)"|"level":[456]0/.test(line)).slice(-20);
}

describe('a rolling update under load', () => {
  it.each(ROLLED)(
    'of %s fails no request, and every pod that is replaced ends by itself within its grace',
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
    120_000,
  );

  it('to a revision that never gets ready takes nothing away, and is rolled back without a loss', async () => {
    const deployment = installation.deployments['platform-api'];
    const before = deployment.pods;
    await failsNone('rolled back platform-api', async (load) => {
      const broken = await deployment.beginRoll({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' });
      const enough = load.sent + (isFullRun ? 3_000 : 300);
      await until(() => (load.sent >= enough ? true : undefined), 60_000);
      expect(broken.ready).toBe(false);
      deployment.remove(broken);
      await deployment.settled();
    });
    expect(deployment.pods).toEqual(before);
    for (const pod of before) expect([pod.ready, pod.starts]).toEqual([true, 1]);
  }, 120_000);
});

const further = () => {
  it('rolls back to the former revision as it rolled forward: no request fails', async () => {
    const deployment = installation.deployments['runtime-api'];
    await failsNone('rolled runtime-api to its former revision', async () => {
      await deployment.roll({});
      await deployment.settled();
    });
  }, 120_000);

  it('scales the runtime from 1 to 3 to 1 pods: no request fails', async () => {
    const deployment = installation.deployments['runtime-api'];
    await deployment.scale(1);
    await deployment.settled();
    await failsNone('scaled runtime-api 1 → 3 → 1', async () => {
      await deployment.scale(3);
      await deployment.scale(1);
      await deployment.settled();
    });
    await deployment.scale(3);
  }, 120_000);

  it('answers 503 with Retry-After for what a killed pod was doing, or is led to it before its death is known, and has it back', async () => {
    const deployment = installation.deployments['platform-api'];
    const [pod] = deployment.pods;
    const load = await underLoad('killed one pod of platform-api', async () => {
      pod?.kill();
      await until(() => (pod?.starts === 2 && pod.ready ? true : undefined));
    });
    for (const { area, status, retryAfter } of load.failed)
      expect({ area, status, retryAfter }).toEqual({
        area: 'platform',
        status: 503,
        retryAfter: expect.stringMatching(/^\d+$/) as string,
      });
    expect(load.failed.length).toBeLessThan(load.sent / 20);
  }, 60_000);
};
if (isFullRun) describe('further, in the full run', further);

describe('all of it', () => {
  it(`was at least ${ENOUGH} requests`, async () => {
    await failsNone('the rest', (load) =>
      until(() => (total.sent + load.sent >= ENOUGH ? true : undefined), 120_000).then(() => undefined),
    );
    expect(total.sent).toBeGreaterThanOrEqual(ENOUGH);
    expect(total.failed).toBe(0);
  }, 180_000);
});
