import { encodeId, newId } from '@millwright/db';
import { newWebhookSecret } from '@millwright/events/signatures';
import { GUARDS, type FilterPin, type GuardAction, type GuardRules } from '@millwright/guards';
import { CORPUS, leaksIn, needleOf } from '@millwright/guards/test-corpus';
import {
  createFakeModel,
  createTestDatabase,
  listen,
  type FakeModel,
  type HttpClient,
  type ListeningApp,
  type ModelBehaviour,
  type ModelRequest,
  type TestDatabase,
} from '@millwright/testing';
import { Webhook } from 'standardwebhooks';
import { connect, says } from '../a2a/test-client.js';
import { agentIdOf, startRuntime, type TestRuntime } from '../test-runtime.js';
import { createTestTriggers, pollUntil } from '../triggers/test-triggers.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let upstream: ListeningApp;
let token: string;
let by: HttpClient;
const log: string[] = [];
/** The bodies of the calls that the tool received. */
const received: string[] = [];
let answer = '{}';
let documents: unknown[] = [];

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  upstream = await listen((request, response) => {
    const isTool = request.url === '/look';
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      if (isTool) received.push(body);
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(isTool ? answer : JSON.stringify({ documents }));
    });
  });
  runtime = await startRuntime(database.url, model.url, { log });
  token = await runtime.newToken();
  by = runtime.as(token);
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close(), upstream.close()]);
});
beforeEach(() => {
  documents = [];
  received.splice(0);
  model.requests.splice(0);
  model.answerWith('Fine.');
});

const rulesOf = (action: GuardAction, ...guards: (typeof GUARDS)[number][]): GuardRules =>
  Object.fromEntries(guards.map((guard) => [guard, { input: action, output: action, tools: action }]));

async function newAgent(rules: GuardRules | undefined, fields: object = {}): Promise<string> {
  const name = `Agent${newId().slice(-10)}`;
  const { id } = await runtime.newAgent({ name, ...fields });
  if (rules)
    await runtime.db.prisma.guardPolicy.create({ data: { id: newId(), project: 'Core', agent_id: id, rules } });
  return name.toLowerCase();
}
const newPlugin = (agent: string, type: 'tool' | 'data_source', path: string) =>
  runtime.newPlugin({ name: `${type}_${agent}`, type, config: { url: `${upstream.url}${path}` }, agent });

const send = (agent: string, content: string, more: object = {}) =>
  by('POST', `/api/v1/agents/${agent}/messages`, { json: { content, ...more } });
const stream = (agent: string, content: string) =>
  by('POST', `/api/v1/agents/${agent}/messages`, { json: { content }, headers: { accept: 'text/event-stream' } });

/** A model that calls the tool once with this text, and then answers with the text. */
const callsAndSays =
  (text: string) =>
  ({ body }: ModelRequest): ModelBehaviour => {
    const last = body.messages.at(-1);
    const [definition] = (body['tools'] ?? []) as { function: { name: string } }[];
    if (last?.role === 'tool' || !definition) return { content: `I say: ${text} That is all.` };
    const { name } = definition.function;
    const call = { id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify({ text }) } } as const;
    return { content: `I ask about ${text} now.`, toolCalls: [call] };
  };

/** Returns all rows of all tables, as text. */
async function dump(): Promise<string> {
  const tables = await runtime.db.prisma.$queryRaw<{ name: string }[]>`
    SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`;
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await runtime.db.prisma.$queryRawUnsafe<{ row: string }[]>(`SELECT t::text AS row FROM ${name} t`);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}

const runsOf = async (agent: string) => {
  const subject_id = await agentIdOf(runtime, agent);
  const include = { steps: { orderBy: { seq: 'asc' } }, events: true } as const;
  return runtime.db.prisma.run.findMany({ where: { subject_id }, include, orderBy: { id: 'asc' } });
};
const found = (resource: string) =>
  runtime.db.prisma.governanceDecision.findMany({
    where: { action: 'guard.find', resource },
    orderBy: { seq: 'asc' },
  });

describe('the action redact', () => {
  it('leaves no text of the corpus in the database, the requests to models and tools, the answers and the log', async () => {
    const agent = await newAgent(rulesOf('redact', ...GUARDS));
    await newPlugin(agent, 'tool', '/look');
    await newPlugin(agent, 'data_source', '/docs');
    const client = await connect(runtime.url, agent, token, ['1.0', 'JSONRPC']);
    const shown: string[] = [];
    expect(CORPUS.length).toBeGreaterThanOrEqual(40);
    const groups = Array.from({ length: Math.ceil(CORPUS.length / 6) }, (_, place) =>
      CORPUS.slice(6 * place, 6 * place + 6),
    );
    for (const group of groups) {
      const text = group.map((entry) => entry.text).join('\n\n');
      documents = [{ title: text, text }];
      answer = JSON.stringify({ text, nested: JSON.stringify({ text }) });
      model.answerWith(callsAndSays(text));
      const streamed = await stream(agent, `Look at this: ${text}`);
      expect(streamed.text).toContain('event: message.completed');
      shown.push(streamed.text);
      for await (const part of client.sendMessageStream(says(text, { metadata: { text } })))
        shown.push(JSON.stringify(part));
    }
    expect([received.length, model.requests.length]).toEqual([2 * groups.length, 4 * groups.length]);
    const ways = {
      database: await dump(),
      model: JSON.stringify(model.requests.map(({ body }) => body)),
      tool: received.join('\n'),
      answers: shown.join('\n'),
      log: log.join('\n'),
    };
    for (const [way, text] of Object.entries(ways)) expect([way, leaksIn(text)]).toEqual([way, []]);
    // Each text was sent to all of these places, and was replaced there.
    for (const way of [ways.database, ways.model, ways.tool, ways.answers])
      for (const guard of GUARDS) expect(way).toContain(`[removed: ${guard}]`);
  });

  it('streams exactly the redacted text that is stored', async () => {
    const agent = await newAgent(rulesOf('redact', ...GUARDS));
    model.answerWith('Write to ada@example.com or call +49 151 12345678 today.');
    const { text } = await stream(agent, 'Hello');
    const deltas = [...text.matchAll(/event: message\.delta\ndata: (.*)/g)].map(
      ([, data = '{}']) => (JSON.parse(data) as { delta: string }).delta,
    );
    const [run] = await runsOf(agent);
    expect(deltas.join('')).toBe('Write to [removed: email] or call [removed: phone] today.');
    expect(run?.steps[0]?.answer).toBe(deltas.join(''));
  });

  it('redacts texts that were stored before the guard was set, when a later message sends them to the model', async () => {
    const agent = await newAgent(undefined);
    const { body } = await send(agent, 'I am ada@example.com');
    const { context_id } = body as { context_id: string };
    const agent_id = await agentIdOf(runtime, agent);
    await runtime.db.prisma.guardPolicy.create({
      data: { id: newId(), project: 'Core', agent_id, rules: rulesOf('block', 'email') },
    });
    expect((await send(agent, 'Who am I?', { context_id })).status).toBe(200);
    expect(model.requests.at(-1)?.body.messages.map(({ content }) => content)).toContain('I am [removed: email]');
  });

  it('redacts posts to triggers before they are stored', async () => {
    const agent = await newAgent(rulesOf('redact', 'email'));
    const triggers = createTestTriggers(runtime, await runtime.newUser('grace@example.com', { role: 'admin' }));
    const { address, secret } = await triggers.webhook({ agent });
    const body = JSON.stringify({ message: 'Order of carol.kim@example.org' });
    const [id, at] = [newId(), new Date()];
    const headers = {
      ...{ 'content-type': 'application/json', 'webhook-id': id },
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    };
    expect((await runtime.as()('POST', `/api/v1/triggers/${address}`, { body, headers })).status).toBe(202);
    await pollUntil(async () => (await runsOf(agent)).some(({ state }) => state === 'completed'));
    expect(await dump()).not.toContain('carol.kim@example.org');
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('Order of [removed: email]');
  });

  it('audits how many matches each guard found, without the text', async () => {
    const agent = await newAgent({ email: { input: 'redact', output: 'flag' } });
    model.answerWith('Write to bob@example.com.');
    expect((await send(agent, 'a@example.com and b@example.com')).body).toMatchObject({
      content: 'Write to bob@example.com.',
    });
    const [run] = await runsOf(agent);
    const rows = await found(encodeId('run', run?.id ?? ''));
    expect(rows).toMatchObject([
      {
        decision: 'allow',
        detail: { agent, point: 'input', findings: [{ guard: 'email', action: 'redact', count: 2 }] },
      },
      {
        decision: 'allow',
        detail: { agent, point: 'output', findings: [{ guard: 'email', action: 'flag', count: 1 }] },
      },
    ]);
  });
});

describe('the action block', () => {
  const blocked = (guard: string, field: string) => ({
    error: { code: 'GUARD_BLOCKED', details: { field, reason: `was blocked by the guard "${guard}"` } },
  });

  it('refuses a message with an error that names the guard, and stores nothing of the message', async () => {
    const agent = await newAgent(rulesOf('block', 'card'));
    const { status, body, text } = await send(agent, 'Pay with 5555 5555 5555 4444');
    expect([status, body]).toMatchObject([422, blocked('card', 'content')]);
    expect(text).not.toContain('5555');
    const later = await by('POST', `/api/v1/agents/${agent}/messages`, {
      json: { content: 'Pay with 5555 5555 5555 4444' },
      headers: { prefer: 'respond-async' },
    });
    expect(later.status).toBe(422);
    expect(await runsOf(agent)).toEqual([]);
    expect(model.requests).toEqual([]);
    const resource = encodeId('ag', await agentIdOf(runtime, agent));
    await pollUntil(async () => (await found(resource)).length === 2);
    expect(await found(resource)).toMatchObject([{ decision: 'deny' }, { decision: 'deny' }]);
    expect(await dump()).not.toContain('5555 5555 5555 4444');
  });

  it('ends the run when the model writes blocked text, does not stream that text, and records the usage of the model', async () => {
    const agent = await newAgent(rulesOf('block', 'iban'));
    model.answerWith('Send it to DE89 3704 0044 0532 0130 00 and then write.');
    const { text } = await stream(agent, 'Where to?');
    expect(text).toContain('GUARD_BLOCKED');
    expect(text).not.toContain('3704');
    const [run] = await runsOf(agent);
    expect(run).toMatchObject({ state: 'failed', error_code: 'guard_blocked' });
    expect(run?.error_text).toBe('The guard "iban" blocked what the model wrote.');
    expect(JSON.stringify(run?.steps)).not.toContain('3704');
    const used = await runtime.db.prisma.usageEvent.count({ where: { subject_id: await agentIdOf(runtime, agent) } });
    expect(used).toBe(1);
  });

  it('ends the run when a tool answers with blocked text; the outcome of the call is stored, and the model reads none of the text', async () => {
    const agent = await newAgent({ secrets: { tools: 'block' } });
    await newPlugin(agent, 'tool', '/look');
    answer = JSON.stringify({ password: 'hunter2-forever' });
    model.answerWith(callsAndSays('the weather'));
    const { status, body } = await send(agent, 'Look');
    expect([status, body]).toMatchObject([422, blocked('secrets', 'tool')]);
    expect(model.requests).toHaveLength(1);
    const [run] = await runsOf(agent);
    expect(run?.steps).toMatchObject([{ kind: 'model' }, { kind: 'tool', outcome: 'succeeded' }]);
    expect(JSON.stringify(run?.steps)).not.toContain('hunter2');
  });
});

/** The requests that external guards received. */
const asked: { point: string; texts: string[] }[] = [];
type Decide = (check: { point: string; texts: string[] }) => object;
let decide: Decide = () => ({ decision: 'allow' });
let external: ListeningApp;
beforeAll(async () => {
  external = await listen((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const { data } = JSON.parse(body) as { data: { point: string; texts: string[]; hash: string } };
      asked.push(data);
      response.end(JSON.stringify({ hash: data.hash, ...decide(data) }));
    });
  });
});
afterAll(() => external.close());

describe('an external guard', () => {
  beforeEach(() => {
    asked.splice(0);
  });

  /** Creates an agent with an external guard. @returns the agent, and the row id of the guard's plugin */
  async function newGuarded(says: Decide, pin: Partial<FilterPin> = {}) {
    decide = says;
    const agent = await newAgent(undefined);
    const name = `judge_${agent}`;
    const config = { url: external.url, secret: '********' };
    const secrets = [{ path: ['secret'], value: newWebhookSecret() }];
    const { id: plugin } = await runtime.newPlugin({ name, type: 'filter', config, secrets });
    const filters = [{ plugin, version: 1, points: ['input', 'output', 'tools'], on_failure: 'block', ...pin }];
    const data = { id: newId(), project: 'Core', agent_id: await agentIdOf(runtime, agent), rules: {} };
    await runtime.db.prisma.guardPolicy.create({ data: { ...data, filters } });
    return { agent, name, plugin };
  }

  const redactsCorpus: Decide = ({ texts }) => {
    const parts = CORPUS.map(({ value }) => value).filter((value) => texts.some((text) => text.includes(value)));
    return parts.length > 0 ? { decision: 'redact', parts } : { decision: 'allow' };
  };

  it('leaves no text that it redacts in the database, the requests to models and tools, the answers and the log', async () => {
    const { agent, name } = await newGuarded(redactsCorpus);
    await newPlugin(agent, 'tool', '/look');
    await newPlugin(agent, 'data_source', '/docs');
    const client = await connect(runtime.url, agent, token, ['1.0', 'JSONRPC']);
    const triggers = createTestTriggers(runtime, await runtime.newUser('judy@example.com', { role: 'admin' }));
    const { address, secret } = await triggers.webhook({ agent });
    const shown: string[] = [];
    const groups = Array.from({ length: Math.ceil(CORPUS.length / 12) }, (_, place) =>
      CORPUS.slice(12 * place, 12 * place + 12),
    );
    for (const group of groups) {
      const text = group.map((entry) => entry.text).join('\n\n');
      documents = [{ title: text, text }];
      answer = JSON.stringify({ text, nested: JSON.stringify({ text }) });
      model.answerWith(callsAndSays(text));
      const streamed = await stream(agent, `Look at this: ${text}`);
      expect(streamed.text).toContain('event: message.completed');
      shown.push(streamed.text);
      for await (const part of client.sendMessageStream(says(text, { metadata: { text } })))
        shown.push(JSON.stringify(part));
      const body = JSON.stringify({ message: text });
      const [id, at] = [newId(), new Date()];
      const headers = {
        ...{ 'content-type': 'application/json', 'webhook-id': id },
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': new Webhook(secret).sign(id, at, body),
      };
      expect((await runtime.as()('POST', `/api/v1/triggers/${address}`, { body, headers })).status).toBe(202);
    }
    await pollUntil(async () => {
      const runs = await runsOf(agent);
      return runs.length === 3 * groups.length && runs.every(({ state }) => state === 'completed');
    });
    const ways = {
      database: await dump(),
      model: JSON.stringify(model.requests.map(({ body }) => body)),
      tool: received.join('\n'),
      answers: shown.join('\n'),
      log: log.join('\n'),
    };
    for (const [way, text] of Object.entries(ways)) expect([way, leaksIn(text)]).toEqual([way, []]);
    for (const way of [ways.database, ways.model, ways.tool, ways.answers]) expect(way).toContain(`[removed: ${name}]`);
  });

  it('is called before the run, before and after each model call, and after a tool call; each decision has an audit row', async () => {
    const { agent, name } = await newGuarded(({ point }) => ({
      decision: point === 'tools' ? 'flag' : 'allow',
      ...(point === 'tools' && { reason: 'strange' }),
    }));
    await newPlugin(agent, 'tool', '/look');
    await newPlugin(agent, 'data_source', '/docs');
    documents = [{ title: 'Prices', text: 'Five.' }];
    answer = JSON.stringify({ weather: 'rain' });
    model.answerWith(callsAndSays('the weather'));
    expect((await send(agent, 'Look')).status).toBe(200);
    expect(asked.map(({ point }) => point)).toEqual(['input', 'input', 'output', 'tools', 'output']);
    expect(asked[0]?.texts).toEqual(['Look']);
    expect(JSON.stringify(asked[1]?.texts)).toContain('Five.');
    const [run] = await runsOf(agent);
    const rows = await found(encodeId('run', run?.id ?? ''));
    expect(rows.map(({ decision, detail }) => [decision, detail])).toMatchObject([
      ['allow', { point: 'input', findings: [{ guard: name, action: 'allow', count: 1 }] }],
      ['allow', { point: 'input', findings: [{ guard: name, action: 'allow', count: 1 }] }],
      ['allow', { point: 'output' }],
      ['allow', { point: 'tools', findings: [{ guard: name, action: 'flag', count: 1, reason: 'strange' }] }],
      ['allow', { point: 'output' }],
    ]);
  });

  it('can block a message; nothing of the message is stored', async () => {
    const { agent, name } = await newGuarded(() => ({ decision: 'block', reason: 'politics' }));
    const { status, body } = await send(agent, 'My very secret opinion');
    const reason = `was blocked by the guard "${name}" (politics)`;
    expect([status, body]).toMatchObject([
      422,
      { error: { code: 'GUARD_BLOCKED', details: { field: 'content', reason } } },
    ]);
    expect([await runsOf(agent), model.requests]).toEqual([[], []]);
    const resource = encodeId('ag', await agentIdOf(runtime, agent));
    await pollUntil(async () => (await found(resource)).length === 1);
    expect(await found(resource)).toMatchObject([{ decision: 'deny', detail: { findings: [{ reason: 'politics' }] } }]);
    expect(await dump()).not.toContain('My very secret opinion');
  });

  it('can block an earlier message; the conversation continues without the text of that message', async () => {
    const { agent, name } = await newGuarded(() => ({ decision: 'allow' }));
    const { body } = await send(agent, 'The merger is on Tuesday');
    const { context_id } = body as { context_id: string };
    // An admin approves another version of the guard. The decisions of the earlier version are then no longer used.
    const agent_id = await agentIdOf(runtime, agent);
    const policy = await runtime.db.prisma.guardPolicy.findFirstOrThrow({ where: { agent_id } });
    const [pin] = policy.filters as unknown as FilterPin[];
    await runtime.db.prisma.plugin.update({ where: { id: pin?.plugin ?? '' }, data: { version: 2 } });
    await runtime.db.prisma.guardPolicy.update({
      where: { id: policy.id },
      data: { filters: [{ ...pin, version: 2 }] as object[] },
    });
    decide = ({ texts }) => ({
      decision: texts.some((text) => text.includes('merger')) ? 'block' : 'allow',
      reason: 'secret',
    });
    model.requests.splice(0);
    for (const content of ['And the weather?', 'Thank you']) {
      const { status } = await send(agent, content, { context_id });
      expect(status).toBe(200);
    }
    expect(model.requests.map(({ body: { messages } }) => messages[1]?.content)).toEqual(
      Array(2).fill(`[removed: ${name}]`),
    );
    expect(JSON.stringify(model.requests)).not.toContain('merger');
    const runs = await runsOf(agent);
    for (const { id } of runs.slice(1))
      expect(JSON.stringify((await found(encodeId('run', id))).map(({ detail }) => detail))).toContain(
        '"messages_left_out":1',
      );
    expect((await send(agent, 'About the merger', { context_id })).status).toBe(422);
  });

  it('ends the run when it blocks text of the model, and none of that text is streamed', async () => {
    const { agent } = await newGuarded(({ point }) => ({ decision: point === 'output' ? 'block' : 'allow' }));
    model.answerWith('A long answer with a bad idea in many words.');
    const { text } = await stream(agent, 'Ideas?');
    expect([text.includes('GUARD_BLOCKED'), text.includes('bad idea'), text.includes('long answer')]).toEqual([
      true,
      false,
      false,
    ]);
    const [run] = await runsOf(agent);
    expect(run).toMatchObject({ state: 'failed', error_code: 'guard_blocked' });
    expect(await dump()).not.toContain('bad idea');
  });

  it('can block the text of a post to a trigger, whose firing is then skipped', async () => {
    const { agent } = await newGuarded(() => ({ decision: 'block' }));
    const triggers = createTestTriggers(runtime, await runtime.newUser('kim@example.com', { role: 'admin' }));
    const { address, secret, id: trigger } = await triggers.webhook({ agent });
    const body = JSON.stringify({ message: 'A blocked plan' });
    const [id, at] = [newId(), new Date()];
    const headers = {
      ...{ 'content-type': 'application/json', 'webhook-id': id },
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    };
    const { status, body: firing } = await runtime.as()('POST', `/api/v1/triggers/${address}`, { body, headers });
    expect([status, firing]).toMatchObject([202, { state: 'skipped', run_id: null }]);
    expect(await found(encodeId('trg', trigger))).toMatchObject([{ decision: 'deny' }]);
    expect(await dump()).not.toContain('A blocked plan');
  });

  it.each([
    ['has another version than the approved one', { version: 2 }],
    ['is inactive', { status: 'inactive' }],
  ])('that %s is not called; the run does not start, even when on_failure is "allow"', async (_what, change) => {
    const { agent, plugin } = await newGuarded(() => ({ decision: 'allow' }), { on_failure: 'allow' });
    await runtime.db.prisma.plugin.update({ where: { id: plugin }, data: change });
    const { status, text } = await send(agent, 'Hello');
    expect([status, text.includes('an admin has to approve it'), asked]).toEqual([422, true, []]);
    await runtime.db.prisma.plugin.delete({ where: { id: plugin } });
    expect((await send(agent, 'Hello')).status).toBe(422);
  });
});

describe('an agent without guard rules', () => {
  it('leaves every text of a run unchanged', async () => {
    const agent = await newAgent(undefined);
    const [entry] = CORPUS;
    const text = entry?.text ?? '';
    model.answerWith(text);
    expect((await send(agent, text)).body).toMatchObject({ content: text });
    expect(JSON.stringify(model.requests[0]?.body)).toContain(entry && needleOf(entry));
  });
});
