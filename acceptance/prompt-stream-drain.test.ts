import { createFakeModel, type FakeModel } from '@millwright/testing';
import OpenAI from 'openai';
import { startPromptReplicas, type PromptReplicas } from './harness/prompt-replicas.js';
import type { Service } from './harness/service.js';

/** The model streams a word every 100 ms. The answer therefore takes longer than the time in which the stopping service accepts new requests. */
const WORDS = 'one two three four five six seven eight nine ten eleven twelve';
const ANNOUNCE_MS = '300';

let model: FakeModel;
let replicas: PromptReplicas;
let service: Service;
/** The second process, which keeps running. */
let other: Service;
let promptId: string;
beforeAll(async () => {
  model = await createFakeModel({ content: WORDS, trickleMs: 100 });
  replicas = await startPromptReplicas(2, {
    MODEL_BASE_URL: model.url,
    MODEL_NAME: 'house-model',
    SHUTDOWN_ANNOUNCE_MS: ANNOUNCE_MS,
  });
  [service, other] = replicas.services as [Service, Service];
  const prompt = { instruction: { dynamic: '{{message}}' }, input: {}, output: {}, metadata: { title: 'Streamed' } };
  promptId = (await replicas.call<{ id: string }>(service, '/prompt', { body: prompt })).body.id;
});
afterAll(async () => {
  await replicas.stop();
  await model.close();
});
afterEach(() => service.start());

interface Conversation {
  message: { role: string; content: string }[];
}
const lastTurn = async () => {
  const { body } = await replicas.call<Conversation[]>(other, '/conversation?limit=1');
  return body[0]?.message.map(({ content }) => content);
};

describe('SIGTERM during a run of a prompt', () => {
  it('ends the process with code 0, after the stream is complete and the answer is stored', async () => {
    const answer = await replicas.open(service, `/prompt/${promptId}/openai`, { message: 'Streamed', stream: true });
    let text = '';
    let stopped: Promise<number | null> | undefined;
    for await (const part of answer) {
      text += part;
      if (text.includes('event: chunk')) stopped ??= service.terminate();
    }
    expect(await stopped).toBe(0);
    const events = [...text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
    expect(events).toEqual([...WORDS.split(' ').map(() => 'chunk'), 'result']);
    expect(await lastTurn()).toEqual(['Streamed', WORDS]);
  });

  it("lets a stream to OpenAI's SDK end with response.completed", async () => {
    const openai = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: replicas.apiKey, maxRetries: 0 });
    const stream = openai.responses.stream({ prompt: { id: promptId }, input: 'By the SDK' });
    let stopped: Promise<number | null> | undefined;
    for await (const event of stream) if (event.type === 'response.output_text.delta') stopped ??= service.terminate();
    const response = await stream.finalResponse();
    expect(await stopped).toBe(0);
    expect(response).toMatchObject({ status: 'completed', output_text: WORDS });
  });

  it('lets the run of a disconnected client finish; the answer is stored', async () => {
    const left = new AbortController();
    const answer = await replicas.open(
      service,
      `/prompt/${promptId}/openai`,
      { message: 'Left', stream: true },
      left.signal,
    );
    await answer[Symbol.asyncIterator]().next();
    left.abort();
    expect(await service.terminate()).toBe(0);
    expect(await lastTurn()).toEqual(['Left', WORDS]);
  });
});
