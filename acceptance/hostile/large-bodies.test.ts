import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen, type ListeningApp } from '@millwright/testing';
import { strToU8, zipSync } from 'fflate';
import { startPlatform, type Platform } from '../harness/platform.js';
import type { ServiceName } from '../harness/service.js';
import { beginReadings, probeEnv, untilIdle } from './readings.js';

/** Size of a request's body in bytes: the largest body that the prompt API accepts. */
const BODY_BYTES = 8 * 1_048_576;
/** Number of large bodies that a process handles at the same time. Each user may send four of them. */
const OF_PROCESS = 12;
/** Memory limit of a pod of the prompt API and of the runtime API in k8s/areas, in MiB. */
const POD_MIB = 1_024;
/** Maximum time in milliseconds for which the event loop of a process may be blocked. */
const MOST_BLOCKED_MS = 400;

/**
 * Two users of one project, and one user of the other project. With four large bodies each, they reach the limits of both projects and of the
 * process.
 */
const USERS = [
  ['ann', 'Core'],
  ['ben', 'Core'],
  ['cleo', 'Commerce'],
] as const;

let platform: Platform;
let model: ListeningApp;
/** Functions that release waiting answers of the model. */
let held: (() => void)[] = [];
let isHolding = true;
const keys: string[] = [];
const folder = mkdtempSync(join(tmpdir(), 'millwright-large-'));
const rows: string[] = [];

beforeAll(async () => {
  model = await listen((request, response) => {
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'A mill.' } }];
    const usage = { prompt_tokens: 1_600, completion_tokens: 3, total_tokens: 1_603 };
    const answer = { id: 'c', object: 'chat.completion', created: 0, model: 'house', choices, usage };
    const end = () => response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    request.resume().on('end', () => (isHolding ? held.push(end) : end()));
  });
  platform = await startPlatform({
    env: {
      ...{ MODEL_BASE_URL: `${model.url}/v1`, MODEL_NAME: 'house', MODEL_IMAGES: 'true' },
      ...probeEnv(folder),
    },
  });
  for (const [name, project] of USERS) {
    const email = `${name}@localhost`;
    await platform.operator('users', 'create', '--email', email, '--name', name, '--project', project);
    const { key = '' } = await platform.operator('keys', 'create', '--user', email, '--name', 'large');
    keys.push(key);
  }
  // Warm up the service: code that has never run is compiled at its first use.
  isHolding = false;
  for (const [, path, bodyOf] of SHAPES) expect((await ask(keys[0] ?? '', path, bodyOf(2_000_000))).status).toBe(200);
  for (const key of keys) expect((await upload(key, BODY_BYTES)).status).toBe(201);
});
afterAll(async () => {
  process.stderr.write(`${rows.join('\n')}\n`);
  await platform.stop();
  await model.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  held = [];
  isHolding = true;
});

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
/** Returns random data for an image, with which the request's body has nearly the given size. */
const dataOf = (size: number) => randomBytes(Math.floor((size - 4_000) * 0.75) - PNG.length);
const imageOf = (size: number) => `data:image/png;base64,${Buffer.concat([PNG, dataOf(size)]).toString('base64')}`;
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const MILL = `<w:document ${W}><w:body><w:p><w:r><w:t>A mill grinds grain.</w:t></w:r></w:p></w:body></w:document>`;
/** Returns a document with little text and a large picture. */
function documentOf(size: number): string {
  const picture = dataOf(size - 4_000);
  const file = zipSync({ 'word/document.xml': strToU8(MILL), 'word/media/mill.png': [picture, { level: 0 }] });
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  return `data:${type};base64,${Buffer.from(file).toString('base64')}`;
}

const user = (...content: object[]) => ({ role: 'user', content });
const words = { type: 'text', text: 'What is this?' };
const inputWords = { type: 'input_text', text: 'What is this?' };

/** Requests with a large body, by the path that accepts them. */
const SHAPES: readonly (readonly [what: string, path: string, bodyOf: (size: number) => object])[] = [
  [
    'images in chat completions',
    '/v1/chat/completions',
    (size) => ({ messages: [user(words, { type: 'image_url', image_url: { url: imageOf(size) } })] }),
  ],
  [
    'images in responses, stored in conversations',
    '/v1/responses',
    (size) => ({ input: [user(inputWords, { type: 'input_image', image_url: imageOf(size) })] }),
  ],
  [
    "images in Anthropic's messages",
    '/v1/messages',
    (size) => {
      const [, data = ''] = imageOf(size).split(',');
      const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
      return { model: 'house', max_tokens: 100, messages: [user(words, image)] };
    },
  ],
  [
    'documents in chat completions',
    '/v1/chat/completions',
    (size) => ({
      messages: [user(words, { type: 'file', file: { filename: 'mill.docx', file_data: documentOf(size) } })],
    }),
  ],
];

interface Asked {
  status: number;
  text: string;
  retryAfter: string | null;
}

async function ask(key: string, path: string, body: object | string): Promise<Asked> {
  const answer = await fetch(`${platform.promptUrl}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text(), retryAfter: answer.headers.get('retry-after') };
}

/** Uploads a file of this size. */
async function upload(key: string, size: number): Promise<Asked> {
  const form = new FormData();
  form.set('path', 'mill.png');
  form.set('file', new Blob([Buffer.concat([PNG, randomBytes(size - PNG.length)])], { type: 'image/png' }));
  const headers = { Authorization: `Bearer ${key}` };
  const answer = await fetch(`${platform.runtimeUrl}/api/v1/files`, { method: 'POST', headers, body: form });
  return { status: answer.status, text: await answer.text(), retryAfter: null };
}

const keyOf = (n: number) => keys[n % keys.length] ?? '';
const statusesOf = (answers: readonly Asked[]) => answers.map(({ status, text }) => (status < 300 ? status : text));

/** Waits until the model holds back the answers of this number of requests. */
async function untilHeld(count: number): Promise<void> {
  for (const deadline = Date.now() + 60_000; held.length < count && Date.now() < deadline;)
    await new Promise((resolve) => void setTimeout(resolve, 20));
  expect(held.length).toBe(count);
}

function letGo(): void {
  isHolding = false;
  for (const end of held) end();
}

/** Returns the peak memory of a service's process since the last call of `forgetPeak`, in MiB. */
const peakOf = (name: ServiceName) =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pidOf(name)}/status`, 'utf8'))?.[1]) / 1_024;
const forgetPeak = (name: ServiceName) => writeFileSync(`/proc/${pidOf(name)}/clear_refs`, '5');
const pidOf = (name: ServiceName) => platform.of(name)[0]?.pid;

/** Measures a service and the gateway while `work` runs, and checks the limits of memory and of blocked time. @returns the result of `work` */
async function measured<Result>(name: ServiceName, what: string, work: () => Promise<Result>): Promise<Result> {
  await untilIdle(platform);
  for (const one of [name, 'gateway'] as const) forgetPeak(one);
  const before = peakOf(name);
  const [endReadings, began] = [beginReadings(platform, folder), performance.now()];
  const result = await work();
  const { services } = await endReadings();
  const [peak, gateway, { blockedMs }] = [peakOf(name), peakOf('gateway'), services[name]];
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  rows.push(
    `${what}: ${seconds} s, ${name} ${before.toFixed(0)} MiB before, ${peak.toFixed(0)} MiB at most, blocked ${blockedMs.toFixed(0)} ms at most, gateway ${gateway.toFixed(0)} MiB`,
  );
  expect(peak).toBeLessThan(POD_MIB);
  expect(blockedMs).toBeLessThan(MOST_BLOCKED_MS);
  return result;
}

describe('12 large bodies at once', () => {
  it.each(SHAPES)(
    '%s: all are answered with 200 while the process stays within the memory limit of a pod',
    async (what, path, bodyOf) => {
      const bodies = Array.from({ length: OF_PROCESS }, () => JSON.stringify(bodyOf(BODY_BYTES)));
      for (const body of bodies) {
        expect(Buffer.byteLength(body)).toBeLessThanOrEqual(BODY_BYTES);
        expect(Buffer.byteLength(body)).toBeGreaterThan(BODY_BYTES - 100_000);
      }
      const answers = await measured('prompt-api', what, async () => {
        const asked = bodies.map((body, n) => ask(keyOf(n), path, body));
        await untilHeld(OF_PROCESS);
        letGo();
        return Promise.all(asked);
      });
      expect(statusesOf(answers)).toEqual(Array.from({ length: OF_PROCESS }, () => 200));
    },
  );

  it('do not block small requests of the same users; a further large body is answered with 429 after about five seconds', async () => {
    const [, path, bodyOf] = SHAPES[0] as (typeof SHAPES)[number];
    const body = JSON.stringify(bodyOf(BODY_BYTES));
    const answers = await measured('prompt-api', 'a fifth of a user beside them', async () => {
      const asked = Array.from({ length: OF_PROCESS }, (_, n) => ask(keyOf(n), path, body));
      await untilHeld(OF_PROCESS);
      const began = performance.now();
      const further = ask(keyOf(0), path, body);
      const headers = { Authorization: `Bearer ${keyOf(0)}` };
      expect((await fetch(`${platform.promptUrl}/v1/models`, { headers })).status).toBe(200);
      expect(performance.now() - began).toBeLessThan(2_000);
      expect(await further).toMatchObject({ status: 429, retryAfter: expect.stringMatching(/^\d+$/) as string });
      expect(performance.now() - began).toBeGreaterThan(4_500);
      letGo();
      return Promise.all(asked);
    });
    expect(statusesOf(answers)).toEqual(Array.from({ length: OF_PROCESS }, () => 200));
  });

  it('uploads and downloads of the runtime API: all succeed while the process stays within the memory limit of a pod', async () => {
    const files = await measured('runtime-api', 'uploads of 8 MiB', () =>
      Promise.all(Array.from({ length: OF_PROCESS }, (_, n) => upload(keyOf(n), BODY_BYTES))),
    );
    expect(statusesOf(files)).toEqual(Array.from({ length: OF_PROCESS }, () => 201));
    const sizes = await measured('runtime-api', 'downloads of 8 MiB', () =>
      Promise.all(
        files.map(async ({ text }, n) => {
          const { id } = JSON.parse(text) as { id: string };
          const headers = { Authorization: `Bearer ${keyOf(n)}` };
          const answer = await fetch(`${platform.runtimeUrl}/api/v1/files/${id}`, { headers });
          return (await answer.arrayBuffer()).byteLength;
        }),
      ),
    );
    expect(sizes).toEqual(Array.from({ length: OF_PROCESS }, () => BODY_BYTES));
  });
});
