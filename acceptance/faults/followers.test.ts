import { decodeId } from '@millwright/db';
import { createFakeModel, type FakeModel } from '@millwright/testing';
import pg from 'pg';
import { callers, newToken } from '../harness/calls.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import type { Service } from '../harness/service.js';
import { readEvents, type Received } from './campaign/followers.js';
import { followerReconnects, runReplicas } from './config.js';

/** The runtime API collects the text of a streamed answer for this number of milliseconds, and then stores it as one event. */
const EVENT_MS = 100;
const WORDS_OF_EVENT = 4;
/** Numbers of events after which a follower ends its connection. One is chosen at random for each connection; the mean is one event. */
const MOST_EVENTS = [0, 0, 1, 1, 3] as const;
/**
 * Number of the run's events for each connection of the follower. It exceeds the mean of `MOST_EVENTS`, because a busy machine stores fewer and
 * longer events.
 */
const EVENTS_OF_CONNECTION = 2;

let model: FakeModel;
let platform: Platform;

beforeAll(async () => {
  const words = followerReconnects * EVENTS_OF_CONNECTION * WORDS_OF_EVENT;
  model = await createFakeModel({
    content: Array.from({ length: words }, (_, n) => `word-${n}`).join(' '),
    trickleMs: EVENT_MS / WORDS_OF_EVENT,
  });
  platform = await startPlatform({
    replicas: { 'runtime-api': runReplicas, 'prompt-api': 0 },
    env: {
      MODEL_BASE_URL: model.url,
      MODEL_NAME: 'house-model',
      MODEL_TIMEOUT_MS: '3600000',
      RATE_LIMIT_MULTIPLIER: '1000',
    },
  });
  await callers(platform).platform('/agents', { body: { name: 'Scribe', description: 'Writes minutes.' } });
});
afterAll(async () => {
  await model.close();
  await platform.stop();
});

async function storedEvents(id: string): Promise<Received[]> {
  const client = new pg.Client({ connectionString: platform.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ seq: number; type: string; data: unknown }>(
    'SELECT seq, type, data FROM run_events WHERE run_id = $1 ORDER BY seq',
    [decodeId('run', id)],
  );
  await client.end();
  return rows.map(({ seq, type, data }) => ({ seq, type, data: JSON.stringify(data) }));
}

describe(`a follower that connects ${followerReconnects} times, each time to a random one of ${runReplicas} processes`, () => {
  it(
    'receives each event of the run once and in order, because it sends Last-Event-ID',
    async () => {
      const { runtime } = callers(platform);
      const started = await runtime<{ id: string }>('/api/v1/runs', { body: { agent: 'scribe', content: 'Go on' } });
      expect({ status: started.status, text: started.text }).toMatchObject({ status: 202 });
      const { id } = started.body;
      const authorization = `Bearer ${await newToken(platform, platform.client)}`;
      const received: Received[] = [];
      let connections = 0;
      for (let hasEnded = false; !hasEnded;) {
        const service = platform.of('runtime-api')[Math.floor(Math.random() * runReplicas)] as Service;
        const most = MOST_EVENTS[Math.floor(Math.random() * MOST_EVENTS.length)] ?? 1;
        const connection = await readEvents(service, { id, authorization, most }, received);
        if (connection.isOpen) connections += 1;
        hasEnded = connection.hasEnded;
      }
      const stored = await storedEvents(id);
      process.stdout.write(`${connections} connections, ${received.length} events of ${stored.length} received\n`);
      expect(received.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 1));
      expect(received.map(({ type, data }) => [type, JSON.parse(data) as unknown])).toEqual(
        stored.map(({ type, data }) => [type, JSON.parse(data) as unknown]),
      );
      expect(stored.at(-1)?.type).toBe('run.completed');
      expect(connections).toBeGreaterThanOrEqual(followerReconnects);
    },
    120_000 + followerReconnects * 1_000,
  );
});
