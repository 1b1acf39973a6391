import { createFakeModel, type FakeModel } from '@millwright/testing';
import { linkDevice } from '../harness/bridge.js';
import { createBrowser, personAt, type Browser } from '../harness/browser.js';
import { send } from '../harness/calls.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import { until } from '../harness/until.js';

let platform: Platform;
let model: FakeModel;
let admin: Browser;

beforeAll(async () => {
  // The model streams a word every 50 ms for a minute, so that every stream stays open during the test.
  model = await createFakeModel({ content: 'word '.repeat(1_200), trickleMs: 50 });
  const env = { MODEL_BASE_URL: model.url, MODEL_NAME: 'house-model', RATE_LIMIT_MULTIPLIER: '10000' };
  platform = await startPlatform({ replicas: { 'admin-auth': 2 }, env });
  admin = (await newPerson('chief@example.com', 'admin')).browser;
});
afterAll(async () => {
  await model.close(); // a run continues after the client disconnects, until the model ends
  await platform.stop();
});

async function newPerson(email: string, role?: 'user' | 'admin') {
  const person = personAt(createBrowser([platform.baseUrl], platform.baseUrl), platform.baseUrl);
  await person.arrive(email, role);
  return person;
}

interface Access {
  name: string;
  url: string;
  headers: Record<string, string>;
  /** The status with which the service refuses this credential. */
  refusal: number;
}

/** Returns a user's credentials for the four services. */
async function accessesOf(browser: Browser): Promise<Access[]> {
  const { key } = await browser.get<{ key: string }>('/admin/api/keys', { body: { name: 'k' } }, 201);
  const body = { name: 'App', redirect_uris: [], scopes: ['agents:read', 'agents:message'] };
  const { client_id, client_secret } = await browser.get<Record<string, string>>('/admin/api/clients', { body }, 201);
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret } as Record<
    string,
    string
  >);
  const { body: tokens } = await send<{ access_token: string }>(`${platform.runtimeUrl}/oauth/token`, { body: form });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const gateway = bearer(await linkDevice(browser));
  const [b, c, d] = [
    `${platform.baseUrl}/api/v1/skills`,
    `${platform.runtimeUrl}/api/v1/agents/registry`,
    `${platform.promptUrl}/v1/prompt`,
  ];
  return [
    { name: 'A session', url: `${platform.baseUrl}/admin/api/me`, headers: browser.headers(), refusal: 401 },
    { name: 'B key', url: b, headers: bearer(key), refusal: 401 },
    { name: 'C token', url: c, headers: bearer(tokens.access_token), refusal: 401 },
    { name: 'D key', url: d, headers: { 'api-key': key }, refusal: 403 },
    { name: 'B gateway token', url: b, headers: gateway, refusal: 401 },
    { name: 'C gateway token', url: c, headers: gateway, refusal: 401 },
    { name: 'D gateway token', url: d, headers: gateway, refusal: 401 },
  ];
}

interface Stream {
  name: string;
  /** Time at which the stream ended, in milliseconds. */
  endedAt?: number;
}

async function openStream(name: string, url: string, headers: Record<string, string>, body: object): Promise<Stream> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  expect([name, response.status, response.headers.get('content-type')]).toEqual([
    name,
    200,
    expect.stringContaining('text/event-stream'),
  ]);
  const reader = response.body?.getReader();
  let received = '';
  const stream: Stream = { name };
  const read = async () => {
    for (;;) {
      const part = await reader?.read();
      if (!part || part.done) return;
      received += Buffer.from(part.value).toString();
    }
  };
  void read()
    .catch(() => undefined) // the stream was cut off
    .finally(() => (stream.endedAt = performance.now()));
  await until(() => received.includes('word') || undefined);
  return stream;
}

/** Opens streams at the runtime API, at the prompt API, and at the runtime API through the console. */
async function streamsOf(browser: Browser, [, key, token, , , gateway]: Access[]): Promise<Stream[]> {
  const agent = { name: `Talker ${Math.random()}`, description: 'Talks' };
  const api = `${platform.baseUrl}/api/v1/agents`;
  const { slug } = (await send<{ slug: string }>(api, { headers: key?.headers ?? {}, body: agent })).body;
  const prompt = { instruction: { dynamic: '{{message}}' }, input: {}, output: {}, metadata: { title: 'Talk' } };
  const prompts = `${platform.promptUrl}/v1/prompt`;
  const { id } = (await send<{ id: string }>(prompts, { headers: key?.headers ?? {}, body: prompt })).body;
  const message = `/api/v1/agents/${slug}/messages?stream=true`;
  const body = { content: 'Talk.' };
  return Promise.all([
    openStream('the runtime', `${platform.runtimeUrl}${message}`, token?.headers ?? {}, body),
    openStream('the runtime by gateway token', `${platform.runtimeUrl}${message}`, gateway?.headers ?? {}, body),
    openStream('the prompt API', `${prompts}/${id}/openai`, key?.headers ?? {}, { message: 'Talk.', stream: true }),
    openStream(
      'the runtime in the console',
      `${platform.baseUrl}/admin/api/areas/runtime${message}`,
      browser.headers(),
      body,
    ),
  ]);
}

interface Asked {
  sentAt: number;
  answeredAt: number;
  status: number;
}

/** Repeats a request until `stop` is called. `asked` contains the sent requests with their statuses. */
function askOn({ url, headers }: Access) {
  const asked: Asked[] = [];
  const stopped = new AbortController();
  const asking = (async () => {
    while (!stopped.signal.aborted) {
      const sentAt = performance.now();
      const { status } = await send(url, { headers });
      asked.push({ sentAt, answeredAt: performance.now(), status });
    }
  })();
  const stop = async () => {
    stopped.abort();
    await asking;
  };
  return { asked, stop };
}

const ms = (value: number) => `${value.toFixed(0)} ms`;

/**
 * Cuts off a user whose browser and programs send requests to every service all the time. Checks that each request after the acknowledgement is
 * refused.
 */
async function cutOff(email: string, cut: (path: string) => Promise<unknown>, survivors: string[] = []) {
  const { browser } = await newPerson(email);
  const accesses = await accessesOf(browser);
  const streams = await streamsOf(browser, accesses);
  const users = await admin.get<{ items: { id: string }[] }>(`/admin/api/users?search=${email}`);
  const asking = accesses.map((access) => ({ access, ...askOn(access) }));
  await until(() => asking.every(({ asked }) => asked.length >= 3) || undefined);

  const orderedAt = performance.now();
  await cut(`/admin/api/users/${users.items[0]?.id}`);
  const doneAt = performance.now();
  await until(
    () => asking.every(({ asked }) => asked.filter(({ sentAt }) => sentAt > doneAt).length >= 5) || undefined,
  );
  await Promise.all(asking.map(({ stop }) => stop()));
  const ended = await until(
    () => (streams.every(({ endedAt }) => endedAt !== undefined) ? streams : undefined),
    20_000,
  );

  const figures = asking.map(({ access, asked }) => {
    const before = asked.filter(({ answeredAt }) => answeredAt < orderedAt).map(({ status }) => status);
    const after = asked.filter(({ sentAt }) => sentAt > doneAt).map(({ status }) => status);
    expect({ name: access.name, before: [...new Set(before)] }).toEqual({ name: access.name, before: [200] });
    const wanted = survivors.includes(access.name) ? 200 : access.refusal;
    expect({ name: access.name, after: [...new Set(after)] }).toEqual({ name: access.name, after: [wanted] });
    const refused = asked.find(({ status }) => status === access.refusal);
    return `${access.name} ${refused ? ms(refused.answeredAt - orderedAt) : 'goes on'}`;
  });
  for (const { name, endedAt = Infinity } of ended)
    expect({ name, inTime: endedAt - doneAt < 1_000 }).toEqual({ name, inTime: true });
  const closed = ended.map(({ name, endedAt = 0 }) => `${name} ${ms(endedAt - orderedAt)}`);
  process.stdout.write(
    `${email}: acknowledged after ${ms(doneAt - orderedAt)}; first refused after: ${figures.join(', ')}; streams closed after: ${closed.join(', ')}\n`,
  );
}

describe('an account with constant requests to every service, and open streams,', () => {
  it('is refused everywhere as soon as its disabling is acknowledged', async () => {
    await cutOff('disabled@example.com', (path) => admin.get(`${path}/disable`, { method: 'POST' }));
  });

  it('is refused everywhere as soon as its deletion is acknowledged', async () => {
    await cutOff('deleted@example.com', (path) => admin.get(path, { method: 'DELETE' }, 204));
  });

  it('is refused as soon as the revocation of its credentials is acknowledged, except with gateway tokens, which remain valid', async () => {
    const survivors = ['B gateway token', 'C gateway token', 'D gateway token'];
    await cutOff('revoked@example.com', (path) => admin.get(`${path}/revoke`, { method: 'POST' }), survivors);
  });
});
