import { setTimeout as delay } from 'node:timers/promises';
import { createFakeModel, type FakeModel } from '@millwright/testing';
import { Agent, request } from 'undici';
import { callers } from './harness/calls.js';
import { startPlatform, type Platform } from './harness/platform.js';
import type { Service, ServiceName } from './harness/service.js';

let model: FakeModel;
let platform: Platform;

beforeAll(async () => {
  model = await createFakeModel();
  platform = await startPlatform({
    env: {
      MODEL_BASE_URL: model.url,
      MODEL_NAME: 'house-model',
      RATE_LIMIT_MULTIPLIER: '1000',
      SHUTDOWN_ANNOUNCE_MS: '1500',
    },
  });
});

afterAll(async () => {
  await platform.stop();
  await model.close();
});

interface Seen {
  status: number | 'failed';
  retryAfter: string | undefined;
  body: string;
  sentAt: number;
}

/** Sends requests from several keep-alive clients until `work` is done. */
async function underLoad(
  clients: number,
  path: string,
  headers: Record<string, string>,
  work: () => Promise<void>,
): Promise<Seen[]> {
  const seen: Seen[] = [];
  let running = true;
  const client = async () => {
    const dispatcher = new Agent({ connections: 1, pipelining: 1 });
    while (running) {
      const sentAt = Date.now();
      try {
        const answer = await request(path, { headers, dispatcher });
        const body = await answer.body.text();
        seen.push({
          status: answer.statusCode,
          retryAfter: answer.headers['retry-after'] as string | undefined,
          body,
          sentAt,
        });
        if (answer.statusCode === 503) await delay(20);
      } catch {
        seen.push({ status: 'failed', retryAfter: undefined, body: '', sentAt });
        await delay(20);
      }
    }
    await dispatcher.close();
  };
  const clientsDone = Array.from({ length: clients }, client);
  try {
    await work();
  } finally {
    running = false;
    await Promise.all(clientsDone);
  }
  return seen;
}

const bearer = () => ({ authorization: `Bearer ${platform.apiKey}` });

const areas: { name: ServiceName; path: () => string; headers: () => Record<string, string>; envelope: object }[] = [
  {
    name: 'runtime-api',
    path: () => `${platform.runtimeUrl}/health`,
    headers: () => ({}),
    envelope: { error: { code: 'UNAVAILABLE' } },
  },
  {
    name: 'prompt-api',
    path: () => `${platform.promptUrl}/v1/prompt`,
    headers: () => ({ 'api-key': platform.apiKey }),
    envelope: { error: { code: 'unavailable', status: 503 }, message: expect.any(String) as string },
  },
  {
    name: 'admin-auth',
    path: () => `${platform.baseUrl}/admin/login`,
    headers: () => ({}),
    envelope: { error: { code: 'unavailable', status: 503 } },
  },
];

describe('SIGTERM to the only process of a service under load', () => {
  it.each(areas)(
    '$name answers its requests in flight; until the restart, the gateway answers 503 in the error format of $name',
    async ({ name, path, headers, envelope }) => {
      const [service] = platform.of(name) as [Service];
      const seen = await underLoad(6, path(), headers(), async () => {
        await delay(200);
        expect(await service.terminate()).toBe(0);
        await delay(300);
        await service.start();
        await delay(300);
      });
      expect(seen.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
      const down = seen.filter(({ status }) => status === 503);
      expect(down.length).toBeGreaterThan(0);
      for (const answer of down) {
        expect(answer.retryAfter).toMatch(/^\d+$/);
        expect(JSON.parse(answer.body)).toMatchObject(envelope);
      }
      expect(seen.at(-1)?.status).toBe(200);
    },
  );

  it('ends the runtime API only after a message that waits for the model is answered', async () => {
    const call = callers(platform);
    await call.platform('/agents', { body: { name: 'Slow', description: 'takes its time' } });
    model.answerWith({ content: 'Done in the end.', delayMs: 2_500 });
    const message = call.runtime<{ content: string }>('/api/v1/agents/slow/messages', { body: { content: 'Begin' } });
    await delay(500);
    const [runtime] = platform.of('runtime-api') as [Service];
    const stopped = runtime.terminate();
    expect(await message).toMatchObject({ status: 200, body: { content: 'Done in the end.' } });
    expect(await stopped).toBe(0);
    await runtime.start();
  });
});

describe('SIGTERM to the gateway', () => {
  it('ends the gateway only after all requests in flight are answered', async () => {
    const [gateway] = platform.of('gateway') as [Service];
    const seen = await underLoad(6, `${platform.baseUrl}/api/v1/skills`, bearer(), async () => {
      await delay(300);
      expect(await gateway.terminate()).toBe(0);
    });
    await gateway.start();
    // The first failed request marks the time from which no process accepts requests. Every request that was sent earlier must have an answer.
    const closedAt = Math.min(...seen.filter(({ status }) => status === 'failed').map(({ sentAt }) => sentAt));
    const answered = seen.filter(({ sentAt }) => sentAt < closedAt);
    expect(answered.length).toBeGreaterThan(20);
    expect(answered.filter(({ status }) => status !== 200)).toEqual([]);
  });
});
