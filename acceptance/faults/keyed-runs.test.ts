import { setTimeout as delay } from 'node:timers/promises';
import { createFakeModel, type FakeModel } from '@millwright/testing';
import pg from 'pg';
import type { Answer, send } from '../harness/calls.js';
import { startPromptReplicas, type PromptReplicas } from '../harness/prompt-replicas.js';
import type { Service } from '../harness/service.js';
import { keyedRunKills } from './config.js';

const MODEL_MS = 80;
/** Kills during a run happen within this number of milliseconds after its start: about twice the duration of a run in a newly started process. */
const RUN_MS = 700;
/** Kills at a commit happen within this number of milliseconds after the model's answer: about twice the time until the client has its answer. */
const COMMIT_MS = 150;

let replicas: PromptReplicas;
let model: FakeModel;
let service: Service;
let promptId: string;
/** Called with the Idempotency-Key of a run when the model answers this run. */
let onAnswer: (key: string) => void = () => undefined;

const call = <Body>(path: string, options?: Parameters<typeof send>[1]) => replicas.call<Body>(service, path, options);

interface Conversation {
  message: { role: string; content: string }[];
}
const run = (key: string): Promise<Answer<{ data?: { conversation: Conversation } }>> =>
  call(`/prompt/${promptId}/openai`, { body: { message: `Run ${key}` }, headers: { 'Idempotency-Key': key } });

/** Returns the Idempotency-Key of the run that sent a model request. The run's message contains the key. */
const keyOf = ({ body }: Pick<FakeModel['requests'][number], 'body'>) =>
  /^Run (.+)$/.exec(String(body.messages.at(-1)?.content))?.[1] ?? '';

beforeAll(async () => {
  model = await createFakeModel(async (request) => {
    await delay(MODEL_MS * Math.random());
    onAnswer(keyOf(request));
    return 'Answered.';
  });
  replicas = await startPromptReplicas(1, { MODEL_BASE_URL: model.url, MODEL_NAME: 'house-model' });
  service = replicas.services[0] as Service;
  const prompt = { instruction: { dynamic: '{{message}}' }, input: {}, output: {}, metadata: { title: 'Killed' } };
  promptId = (await call<{ id: string }>('/prompt', { body: prompt })).body.id;
});

afterAll(async () => {
  await replicas.stop();
  await model.close();
});

async function conversationsOf(key: string, pages: number): Promise<Conversation[]> {
  const found: Conversation[] = [];
  for (let page = 1; page <= pages; page += 1) {
    const { body } = await call<Conversation[]>(`/conversation?limit=100&page=${page}`);
    found.push(...body.filter(({ message }) => message[0]?.content === `Run ${key}`));
  }
  return found;
}

/** Number of the model's complete answers to the run of this key, including answers that the killed service did not read. */
const answersTo = (key: string) =>
  model.requests.filter((request) => keyOf(request) === key && !request.aborted).length;

/** Kills the service at a random moment of a run, or between the model's answer and the commit. */
async function killDuring(key: string, atCommit: boolean): Promise<void> {
  const answered = new Promise<void>((resolve) => {
    onAnswer = (answering) => {
      if (answering === key) resolve();
    };
  });
  const answer = run(key).catch(() => undefined);
  if (atCommit) await Promise.race([answered, answer]);
  await delay((atCommit ? COMMIT_MS : RUN_MS) * Math.random());
  service.kill('SIGKILL');
  await answer;
}

/** Waits until no run is executing. @returns the number of runs by final state and failure code */
async function endedRuns(): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: replicas.databaseUrl });
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query<{ state: string; count: number }>(
        `SELECT concat_ws(' ', state, error_code) AS state, count(*)::int AS count FROM runs GROUP BY 1`,
      );
      if (!rows.some(({ state }) => state === 'running'))
        return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
      await delay(500);
    }
  } finally {
    await client.end();
  }
}

/** Repeats a request after the time in Retry-After until the answer is not 409. */
async function retry(key: string) {
  for (;;) {
    const answer = await run(key);
    if (answer.status !== 409) return answer;
    await delay(1_000 * Number(answer.headers.get('retry-after')));
  }
}

describe(`prompt-api killed ${keyedRunKills} times during runs under an Idempotency-Key`, () => {
  it(
    'stores one answer per key, and repeats a model request only when the process died before it committed the answer',
    async () => {
      const kills: { key: string; answered: boolean; committed: boolean }[] = [];
      for (let n = 0; n < keyedRunKills; n += 1) {
        const key = `kill-${n}`;
        await killDuring(key, n % 2 === 1);
        await service.start();
        kills.push({ key, answered: answersTo(key) > 0, committed: (await conversationsOf(key, 1)).length > 0 });
      }
      const retries = await Promise.all(kills.map(({ key }) => retry(key)));

      const pages = Math.ceil(kills.length / 100);
      for (const [index, { key, answered, committed }] of kills.entries()) {
        const answer = retries[index];
        expect(answer?.status).toBe(200);
        expect(answer?.headers.get('idempotent-replayed')).toBe(committed ? 'true' : null);
        const stored = await conversationsOf(key, pages);
        expect(stored.map(({ message }) => message.map(({ content }) => content))).toEqual([
          [`Run ${key}`, 'Answered.'],
        ]);
        expect({ key, answers: answersTo(key) }).toEqual({ key, answers: 1 + (answered && !committed ? 1 : 0) });
      }
      // Each kill before the commit leaves a failed run, unless the kill preceded the run's start.
      const { completed, 'failed process_lost': failed = 0, ...others } = await endedRuns();
      expect([completed, others]).toEqual([kills.length, {}]);
      expect(failed).toBeLessThanOrEqual(kills.filter(({ committed }) => !committed).length);
      expect(failed).toBeGreaterThanOrEqual(kills.filter(({ answered, committed }) => answered && !committed).length);
      const lost = kills.filter(({ answered, committed }) => answered && !committed).length;
      const before = kills.filter(({ answered }) => !answered).length;
      const after = kills.filter(({ committed }) => committed).length;
      process.stdout.write(
        `${kills.length} kills: ${before} before the model's answer, ${lost} between it and the commit, ${after} after; ` +
          `${kills.length + lost} answers of the model, ${kills.length} stored; ${failed} runs failed with process_lost\n`,
      );
    },
    60_000 + keyedRunKills * 5_000,
  );
});
