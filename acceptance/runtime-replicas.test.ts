import { setTimeout as delay } from 'node:timers/promises';
import { createFakeModel, type FakeModel } from '@millwright/testing';
import { newToken, send } from './harness/calls.js';
import { startPlatform, type Platform } from './harness/platform.js';
import type { Service } from './harness/service.js';

let model: FakeModel;
let platform: Platform;
let authorization: { Authorization: string };
let processes: Service[];

beforeAll(async () => {
  model = await createFakeModel();
  platform = await startPlatform({
    replicas: { 'runtime-api': 3, 'prompt-api': 0 },
    env: { MODEL_BASE_URL: model.url, MODEL_API_KEY: 'model-key', MODEL_NAME: 'house-model' },
  });
  processes = platform.of('runtime-api');
  authorization = { Authorization: `Bearer ${await newToken(platform, platform.client)}` };
});
afterAll(async () => {
  await platform.stop();
  await model.close();
});

const at = (service: Service, path: string, options: { method?: string; body?: unknown; headers?: object } = {}) =>
  send<Record<string, string>>(`${service.url}${path}`, {
    ...options,
    headers: { ...authorization, ...options.headers },
  });

describe('three processes of the runtime without sticky routing', () => {
  it('continue each other’s conversations, including those of a killed process', async () => {
    const path = '/api/v1/agents/concierge/messages';
    let context_id: string | undefined;
    for (const [turn, service] of [...processes, ...processes].entries()) {
      model.answerWith(`Answer ${turn}`);
      const { status, body } = await at(service, path, { body: { content: `Question ${turn}`, context_id } });
      expect([status, body['content']]).toEqual([200, `Answer ${turn}`]);
      context_id = body['context_id'];
    }
    processes[0]?.kill('SIGKILL');
    model.answerWith('Answer 6');
    const last = await at(processes[1] as Service, path, { body: { content: 'Question 6', context_id } });
    expect(last.status).toBe(200);
    const turns = Array.from({ length: 6 }, (_none, turn) => [`Question ${turn}`, `Answer ${turn}`]).flat();
    const sent = model.requests
      .at(-1)
      ?.body.messages.slice(1)
      .map(({ content }) => content);
    expect(sent).toEqual([...turns, 'Question 6']);
    await processes[0]?.start();
  });

  it('all give the same answer to requests with the same Idempotency-Key, and send only one request to the model', async () => {
    model.answerWith('Once.');
    const before = model.requests.length;
    const headers = { 'Idempotency-Key': 'replicas-1' };
    const ask = (service: Service) =>
      at(service, '/api/v1/agents/concierge/messages', { body: { content: 'Hello' }, headers });
    const first = await ask(processes[0] as Service);
    for (const service of processes) expect((await ask(service)).body).toEqual(first.body);
    expect(model.requests.length - before).toBe(1);
  });

  it('all serve a file, and a range of it, that one process stored; after another process deletes the file, all answer 404', async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(60_000));
    const form = new FormData();
    form.set('path', 'notes/a.bin');
    form.set('file', new Blob([bytes]));
    const [one, two, three] = processes as [Service, Service, Service];
    const sent = await fetch(`${one.url}/api/v1/files`, { method: 'POST', body: form, headers: authorization });
    const { id } = (await sent.json()) as { id: string };
    const path = `/api/v1/files/${id}`;
    for (const { url } of processes) {
      const whole = await fetch(url + path, { headers: authorization });
      expect(new Uint8Array(await whole.arrayBuffer())).toEqual(bytes);
      const part = await fetch(url + path, { headers: { ...authorization, Range: 'bytes=100-199' } });
      expect([part.status, new Uint8Array(await part.arrayBuffer())]).toEqual([206, bytes.slice(100, 200)]);
    }
    expect((await at(two, path, { method: 'DELETE' })).status).toBe(200);
    expect((await at(three, path)).status).toBe(404);
  });

  it('all answer requests behind the gateway; the metrics count the requests of all three', async () => {
    const served = (service: Service) => service.output().split('"route":"/api/v1/content/search"').length - 1;
    const url = `${platform.runtimeUrl}/api/v1/content/search?q=mill`;
    const search = () => send(url, { headers: authorization });
    const answers = await Promise.all(Array.from({ length: 30 }, search));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200));
    const counts = processes.map(served);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    // Processes write their counts every five seconds.
    const metrics = async () => {
      const { body } = await at(processes[1] as Service, '/api/v1/analytics/metrics?metric=content_searches');
      return (body as unknown as { points: { value: number }[] }).points.at(-1)?.value;
    };
    let value = await metrics();
    for (const deadline = Date.now() + 15_000; value !== 30 && Date.now() < deadline; value = await metrics())
      await delay(250);
    process.stdout.write(`30 searches behind the gateway: ${counts.join(' + ')} by process, ${value} in the metrics\n`);
    expect(value).toBe(30);
  });
});
