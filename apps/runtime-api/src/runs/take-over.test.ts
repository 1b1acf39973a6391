import type { IncomingMessage, ServerResponse } from 'node:http';
import { encodeId, newId, type Tx } from '@millwright/db';
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
import { agentIdOf, startRuntime, type TestRuntime } from '../test-runtime.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let patient: Awaited<ReturnType<TestRuntime['start']>>;
let call: HttpClient;
let token: string;
let upstream: ListeningApp;
/** Idempotency keys of the calls that the tool received. */
let received: string[];
/** Calls that the tool does not answer. */
let unanswered: ServerResponse[];
let hangs: boolean;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  upstream = await listen((request: IncomingMessage, response: ServerResponse) => {
    received.push(String(request.headers['idempotency-key']));
    if (hangs) unanswered.push(response);
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"paid":true}');
  });
  runtime = await startRuntime(database.url, model.url);
  patient = await runtime.start({ toolTimeoutMs: 60_000, modelTimeoutMs: 60_000 });
  token = await runtime.newToken();
  call = patient.as(token);
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close(), upstream.close()]);
});
beforeEach(() => {
  [received, unanswered, hangs] = [[], [], true];
  model.requests.splice(0);
});

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** SQL that makes the first transaction that stores an answer fail with a deadlock. */
const FAIL_FIRST_ANSWER = [
  'CREATE SEQUENCE stored_answers',
  `CREATE FUNCTION fail_first_answer() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
     BEGIN
       IF nextval('stored_answers') = 1 THEN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END IF;
       RETURN NEW;
     END $$`,
  `CREATE TRIGGER fail_first_answer BEFORE INSERT ON context_messages FOR EACH ROW WHEN (NEW.role = 'assistant')
     EXECUTE FUNCTION fail_first_answer()`,
];

/** Creates an agent whose model calls its only tool once, and then answers with the tool's result. */
async function newPayer(fields: object = {}, callees: string[] = []): Promise<string> {
  const name = `Payer${newId().slice(-8)}`;
  await runtime.newAgent({ name, callees });
  const slug = name.toLowerCase();
  await runtime.newPlugin({ name: `Pay ${name}`, type: 'tool', config: { url: upstream.url }, agent: slug });
  await runtime.db.prisma.agent.update({ where: { slug }, data: fields });
  model.answerWith(({ body }: ModelRequest): ModelBehaviour => {
    const messages = body['messages'] as { role: string; content: string }[];
    const answered = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    if (answered.length > 0) return { content: `Tool: ${answered.join()}` };
    const [first] = body['tools'] as { function: { name: string } }[];
    const asked = { name: first?.function.name ?? '', arguments: '{}' };
    return { content: null, toolCalls: [{ id: 'call_1', type: 'function', function: asked }] };
  });
  return slug;
}

const send = (slug: string) => call('POST', `/api/v1/agents/${slug}/messages`, { json: { content: 'Pay' } });

async function runOf(slug: string) {
  const where = { subject_id: await agentIdOf(runtime, slug) };
  return runtime.db.prisma.run.findFirstOrThrow({ where, include: { steps: { orderBy: { seq: 'asc' } } } });
}

/** Lets the lease of the agent's run lapse, as if the run's process had died. */
async function lapse(slug: string): Promise<void> {
  const { id } = await runOf(slug);
  await runtime.db.prisma.run.update({ where: { id }, data: { lease_until: new Date(0) } });
}

describe('a run whose process let its lease lapse', () => {
  it('is continued by another process, whose answer the first process returns to its client', async () => {
    const slug = await newPayer();
    let release: (answer: ModelBehaviour) => void = () => undefined;
    model.answerWith(() => new Promise<ModelBehaviour>((resolve) => (release = resolve)));
    const answer = send(slug);
    await until(() => model.requests.length === 1);
    const lost = release;
    model.answerWith('In time.');
    await lapse(slug);
    await until(async () => (await runOf(slug)).state === 'completed');
    lost({ content: 'Too late.' });
    const { status, body } = await answer;
    expect([status, (body as { content: string }).content]).toEqual([200, 'In time.']);
    const run = await runOf(slug);
    expect(run).toMatchObject({ state: 'completed', attempt: 2 });
    const messages = await runtime.db.prisma.contextMessage.findMany({ where: { context_id: run.context_id ?? '' } });
    expect(messages.map(({ content }) => content).sort()).toEqual(['In time.', 'Pay']);
    const events = await runtime.db.prisma.runEvent.findMany({ where: { run_id: run.id }, orderBy: { seq: 'asc' } });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)?.type).toBe('run.completed');
  });

  it('waits for a person when a tool call has an unknown outcome, and does not repeat the call', async () => {
    const slug = await newPayer();
    const answer = send(slug);
    await until(() => received.length === 1);
    expect((await runOf(slug)).steps).toMatchObject([{ kind: 'model' }, { kind: 'tool', outcome: 'started' }]);
    await lapse(slug);
    await until(async () => (await runOf(slug)).state === 'waiting');
    expect((await runOf(slug)).waiting_for).toBe('outcome');
    for (const response of unanswered) response.writeHead(200).end('{"paid":"late"}');
    const { status, body, headers } = await answer;
    const id = encodeId('run', (await runOf(slug)).id);
    expect([status, headers.get('location')]).toEqual([202, `/api/v1/runs/${id}`]);
    expect(body).toMatchObject({ id, state: 'waiting', waiting_for: 'outcome' });
    const { steps, tool_call_count } = await runOf(slug);
    expect(steps.map(({ outcome }) => outcome)).toEqual(['succeeded', 'unknown']);
    expect([received.length, tool_call_count]).toEqual([1, 1]);
    const { context_id } = await runOf(slug);
    const next = { content: 'And now?', context_id: encodeId('ctx', context_id ?? '') };
    const refused = await call('POST', `/api/v1/agents/${slug}/messages`, { json: next });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('waits for a person')]);
  });

  it('continues the stream to its client with the events of the other process, which repeats the step', async () => {
    const slug = await newPayer();
    const lost = 'Words of the process that is lost before it has written them all.';
    model.answerWith(() =>
      model.requests.length === 1 ? { content: lost, trickleMs: 300 } : { content: 'Words of the next process.' },
    );
    const response = await fetch(`${patient.url}/api/v1/agents/${slug}/messages?stream=true`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'Pay' }),
    });
    let text = '';
    for await (const part of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      if (!text.includes('Words') && part.includes('Words')) await lapse(slug);
      text += part;
    }
    const events = text
      .trim()
      .split('\n\n')
      .map((block) => /^event: (.+)\ndata: (.+)$/.exec(block))
      .map((found) => ({ event: found?.[1], data: JSON.parse(found?.[2] ?? '{}') as Record<string, unknown> }));
    const at = events.findIndex(({ event }) => event === 'run.running');
    const deltasOf = (some: typeof events) =>
      some.flatMap(({ event, data }) => (event === 'message.delta' ? [data] : []));
    const textOf = (some: typeof events) =>
      deltasOf(some)
        .map(({ delta }) => String(delta))
        .join('');
    expect(lost.startsWith(textOf(events.slice(0, at)))).toBe(true);
    expect(events[at]).toEqual({ event: 'run.running', data: { taken_over: true } });
    expect(textOf(events.slice(at))).toBe('Words of the next process.');
    expect(new Set(deltasOf(events).map(({ step }) => step))).toEqual(new Set([1]));
    expect(events.at(-1)).toMatchObject({
      event: 'message.completed',
      data: { content: 'Words of the next process.' },
    });
    expect(events.filter(({ event }) => event === 'message.started')).toHaveLength(1);
  });

  it('ends the stream to its client with the event run.waiting when the outcome of a call is unknown', async () => {
    const slug = await newPayer();
    const answer = call('POST', `/api/v1/agents/${slug}/messages?stream=true`, { json: { content: 'Pay' } });
    await until(() => received.length === 1);
    await lapse(slug);
    const { status, text } = await answer;
    expect(status).toBe(200);
    const [last = ''] = text.trim().split('\n\n').slice(-1);
    expect(last).toMatch(/^event: run\.waiting\ndata: /);
    const id = encodeId('run', (await runOf(slug)).id);
    expect(JSON.parse(last.split('data: ')[1] ?? '')).toMatchObject({ id, state: 'waiting', waiting_for: 'outcome' });
  });

  it('passes the unknown outcome to the model when on_unknown of the agent requests this', async () => {
    const slug = await newPayer({ on_unknown: 'tell' });
    const answer = send(slug);
    await until(() => received.length === 1);
    await lapse(slug);
    const { status, body } = await answer;
    expect(status).toBe(200);
    expect((body as { content: string }).content).toContain('The outcome of this call is unknown');
    expect(received).toHaveLength(1);
  });

  it('fails when on_unknown of the agent is fail', async () => {
    const slug = await newPayer({ on_unknown: 'fail' });
    const answer = send(slug);
    await until(() => received.length === 1);
    await lapse(slug);
    expect((await answer).status).toBe(503);
    expect(await runOf(slug)).toMatchObject({ state: 'failed', error_code: 'unavailable' });
    expect(received).toHaveLength(1);
  });

  it('fails after eleven attempts over more than ten minutes without a finished step', async () => {
    const slug = await newPayer();
    model.answerWith(() => new Promise<ModelBehaviour>(() => undefined));
    const answer = send(slug);
    await until(() => model.requests.length === 1);
    const { id } = await runOf(slug);
    await runtime.db.prisma.run.update({
      where: { id },
      data: { attempt: 10, lease_until: new Date(0), started_at: new Date(Date.now() - 601_000) },
    });
    expect((await answer).status).toBe(503);
    expect(await runOf(slug)).toMatchObject({ state: 'failed', error_code: 'unavailable', attempt: 11 });
    expect(model.requests).toHaveLength(1);
  });

  it("fails when its user's account is no longer active", async () => {
    const slug = await newPayer();
    const leaving = await runtime.newUser('leaving@example.com');
    const by = patient.as(await runtime.newToken({ userId: leaving.id }));
    model.answerWith(() => new Promise<ModelBehaviour>(() => undefined));
    const answer = by('POST', `/api/v1/agents/${slug}/messages`, { json: { content: 'Pay' } });
    await until(() => model.requests.length === 1);
    await runtime.db.prisma.user.update({ where: { id: leaving.id }, data: { status: 'inactive' } });
    await lapse(slug);
    expect((await answer).status).toBe(401);
    expect(await runOf(slug)).toMatchObject({ state: 'failed', error_code: 'forbidden' });
    expect([model.requests.length, received.length]).toEqual([1, 0]);
  });

  it('continues with the agent version with which it started', async () => {
    const slug = await newPayer();
    const agent_id = await agentIdOf(runtime, slug);
    const { name, description } = await runtime.db.prisma.agent.findUniqueOrThrow({ where: { id: agent_id } });
    const of = { created_by: runtime.owner.id, actor_kind: 'user', actor_id: 'ada', changed: [] };
    const state = { name, description, instructions: 'Old words.', plugin_ids: [], skill_ids: [] };
    await runtime.db.prisma.agentVersion.create({ data: { ...of, agent_id, version: 1, state } });
    model.answerWith(() => new Promise<ModelBehaviour>(() => undefined));
    const answer = send(slug);
    await until(() => model.requests.length === 1);
    model.answerWith('Done.');
    const changes = { instructions: 'New words.', version: 2 };
    await runtime.db.prisma.agent.update({ where: { id: agent_id }, data: changes });
    await lapse(slug);
    expect((await answer).status).toBe(200);
    const last = model.requests.at(-1)?.body;
    expect(last?.messages[0]?.content).toContain('Old words.');
    // The plugin was added later, so the version of the agent that the run uses does not have it.
    expect(last?.['tools']).toBeUndefined();
    expect(await runOf(slug)).toMatchObject({ state: 'completed', attempt: 2, subject_version: 1 });
  });

  it('does not repeat a repeatable call that a rule now denies, and the outcome of the call stays unknown', async () => {
    const slug = await newPayer();
    const isItsTool = { agents: { some: { agent: { slug } } } };
    await runtime.db.prisma.plugin.updateMany({ where: isItsTool, data: { repeatable_version: 1 } });
    const answer = send(slug);
    await until(() => received.length === 1);
    hangs = false;
    await runtime.db.prisma.plugin.updateMany({ where: isItsTool, data: { rule: 'deny', rule_version: 1 } });
    await lapse(slug);
    expect((await answer).text).toContain('outcome of this call is unknown');
    expect(received).toHaveLength(1);
    expect((await runOf(slug)).steps.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['model', 'succeeded'],
      ['tool', 'unknown'],
      ['model', 'succeeded'],
    ]);
  });

  it('repeats the call of a repeatable tool under the same idempotency key', async () => {
    const slug = await newPayer();
    await runtime.db.prisma.plugin.updateMany({
      where: { agents: { some: { agent: { slug } } } },
      data: { repeatable_version: 1 },
    });
    const answer = send(slug);
    await until(() => received.length === 1);
    hangs = false;
    await lapse(slug);
    const { status, body } = await answer;
    expect([status, (body as { content: string }).content]).toEqual([200, 'Tool: {"paid":true}']);
    const [first, second, ...others] = received;
    expect([second, others]).toEqual([first, []]);
    expect((await runOf(slug)).steps.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['model', 'succeeded'],
      ['tool', 'succeeded'],
      ['model', 'succeeded'],
    ]);
  });
});

describe('a run whose database does not answer', () => {
  it('is released by its process and taken over later, and does not fail', async () => {
    const slug = await newPayer();
    const answer = send(slug);
    await until(() => received.length === 1);
    const { id } = await runOf(slug);
    const hold = async (tx: Tx) => {
      await tx.$executeRaw`SELECT FROM run_steps WHERE run_id = ${id}::uuid FOR UPDATE`;
      for (const response of unanswered) response.writeHead(200).end('{"paid":true}');
      // Waits until the statement that stores the tool's answer reaches its time limit.
      await until(async () => {
        const [run] = await tx.$queryRaw<{ late: boolean }[]>`
          SELECT lease_until < clock_timestamp() AS late FROM runs WHERE id = ${id}::uuid`;
        return run?.late === true;
      });
    };
    await runtime.db.prisma.$transaction(hold, { timeout: 60_000 });
    await until(async () => (await runOf(slug)).state === 'waiting');
    const { waiting_for, attempt } = await runOf(slug);
    expect([waiting_for, attempt > 1]).toEqual(['outcome', true]);
    expect((await answer).status).toBe(202);
    expect(received).toHaveLength(1);
  });

  it('ends with the answer that its model has returned, and the answer is recorded once', async () => {
    const name = `Once${newId().slice(-8)}`;
    await runtime.newAgent({ name });
    model.answerWith('Once.');
    for (const statement of FAIL_FIRST_ANSWER) await runtime.db.prisma.$executeRawUnsafe(statement);
    const { status, body } = await send(name.toLowerCase());
    await runtime.db.prisma.$executeRawUnsafe('DROP FUNCTION fail_first_answer CASCADE');
    expect([status, body]).toEqual([200, expect.objectContaining({ content: 'Once.' })]);
    const run = await runOf(name.toLowerCase());
    expect([run.attempt, run.state, run.steps.map(({ answer }) => answer)]).toEqual([2, 'completed', ['Once.']]);
    expect(model.requests).toHaveLength(1);
    expect(await runtime.db.prisma.usageEvent.count({ where: { subject_id: run.subject_id } })).toBe(1);
  });
});

describe('POST /api/v1/runs/{run_id}/outcome', () => {
  /** Creates a run whose only call of a tool has an unknown outcome. */
  async function newWaiting() {
    const slug = await newPayer();
    const answer = send(slug);
    await until(() => received.length === 1);
    await lapse(slug);
    await answer;
    const run = await runOf(slug);
    expect(run.state).toBe('waiting');
    return { slug, id: encodeId('run', run.id) };
  }
  const decide = (id: string, json: object) => call('POST', `/api/v1/runs/${id}/outcome`, { json });

  it.each([
    ['happened', 'succeeded', 'had its effect'],
    ['did_not_happen', 'failed', 'had no effect'],
  ])(
    'continues the run with the outcome %s, as if the call had %s, and the call is not repeated',
    async (outcome, kept, words) => {
      const { slug, id } = await newWaiting();
      const { status, body } = await decide(id, { step: 2, outcome, note: 'Order 7.' });
      expect([status, body]).toEqual([200, { id, state: 'queued' }]);
      await until(async () => (await runOf(slug)).state === 'completed');
      const run = await runOf(slug);
      expect(run.steps.map((step) => step.outcome)).toEqual(['succeeded', kept, 'succeeded']);
      expect(received).toHaveLength(1);
      const answer = await runtime.db.prisma.contextMessage.findUniqueOrThrow({ where: { id: run.answer_id ?? '' } });
      expect(answer.content).toMatch(new RegExp(`${words}.*Order 7`));
      expect((await decide(id, { step: 2, outcome })).status).toBe(409);
      expect(await runtime.db.prisma.governanceDecision.count({ where: { action: 'run.outcome', resource: id } })).toBe(
        1,
      );
    },
  );

  it('is not needed for the call of an agent: the run of the called agent continues, and its answer becomes the result of the call', async () => {
    const helper = `helper${newId().slice(-8)}`;
    await runtime.newAgent({ name: helper });
    const slug = await newPayer({}, [await agentIdOf(runtime, helper)]);
    const { promise, resolve } = Promise.withResolvers<ModelBehaviour>();
    model.answerWith(({ body }: ModelRequest) => {
      const tools = (body['tools'] ?? []) as { function: { name: string } }[];
      if (tools.length === 0) return promise;
      const messages = body['messages'] as { role: string; content: string }[];
      const read = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
      if (read.length > 0) return { content: `Read: ${read.join(' | ')}` };
      const calls = tools.map(({ function: { name } }) => ({
        name,
        arguments: name.startsWith('ask_') ? '{"message":"Help"}' : '{}',
      }));
      return {
        content: null,
        toolCalls: calls.map((asked, index) => ({ id: `call_${index}`, type: 'function', function: asked })),
      };
    });
    const answer = send(slug);
    await until(() => received.length === 1 && model.requests.length === 2);
    await lapse(slug);
    expect((await answer).status).toBe(202);

    const id = encodeId('run', (await runOf(slug)).id);
    const { body } = await call('GET', `/api/v1/runs/${id}/steps`);
    const { items } = body as { items: { seq: number; child_id: string | null; awaits_outcome: boolean }[] };
    const [asked, ...others] = items.filter((step) => step.awaits_outcome);
    expect([asked?.child_id, others]).toEqual([null, []]);
    const ofAgent = items.find(({ child_id }) => child_id !== null);
    expect((await decide(id, { step: ofAgent?.seq, outcome: 'did_not_happen' })).status).toBe(400);
    expect((await decide(id, { step: asked?.seq, outcome: 'happened' })).body).toEqual({ id, state: 'queued' });
    resolve({ content: 'Helped.' });
    await until(async () => (await runOf(slug)).state === 'completed');
    expect((await runOf(helper)).state).toBe('completed');
    const last = await runtime.db.prisma.contextMessage.findUniqueOrThrow({
      where: { id: (await runOf(slug)).answer_id ?? '' },
    });
    expect(last.content).toContain('Helped.');
    expect(received).toHaveLength(1);
  });

  it('cancels the run with the outcome stop, after which its conversation accepts messages again', async () => {
    const { slug, id } = await newWaiting();
    expect((await decide(id, { step: 2, outcome: 'stop' })).body).toEqual({ id, state: 'canceled' });
    const { context_id } = await runOf(slug);
    model.answerWith('Next.');
    const json = { content: 'And now?', context_id: encodeId('ctx', context_id ?? '') };
    expect((await call('POST', `/api/v1/agents/${slug}/messages`, { json })).status).toBe(200);
  });

  it.each([['runs:approve'], ['agents:message']])(
    'accepts the scope %s, and refuses a caller with neither scope',
    async (scope) => {
      const { slug, id } = await newWaiting();
      const json = { step: 2, outcome: 'happened' };
      const by = async (scopes: string[]) =>
        runtime.as(await runtime.newToken({ userId: (await runOf(slug)).user_id, scopes }))(
          'POST',
          `/api/v1/runs/${id}/outcome`,
          { json },
        );
      expect((await by(['runs:read', 'runs:read_all'])).status).toBe(403);
      expect((await by([scope])).status).toBe(200);
    },
  );

  it("answers 400 for a step whose outcome is known and 404 for another user's run; no decision is stored", async () => {
    const { slug, id } = await newWaiting();
    expect((await decide(id, { step: 1, outcome: 'happened' })).status).toBe(400);
    const other = await runtime.newUser('zoe@example.com');
    const stranger = patient.as(await runtime.newToken({ userId: other.id }));
    for (const path of ['outcome', 'cancel'])
      expect(
        (await stranger('POST', `/api/v1/runs/${id}/${path}`, { json: { step: 2, outcome: 'stop' } })).status,
      ).toBe(404);
    expect((await runOf(slug)).state).toBe('waiting');
  });
});

describe('POST /api/v1/runs/{run_id}/cancel', () => {
  it('ends the run and its model call, and succeeds when repeated; it answers 409 for a completed run', async () => {
    const slug = await newPayer();
    model.answerWith(() => new Promise<ModelBehaviour>(() => undefined));
    const answer = send(slug);
    await until(() => model.requests.length === 1);
    const id = encodeId('run', (await runOf(slug)).id);
    for (const time of [1, 2]) {
      const { status, body } = await call('POST', `/api/v1/runs/${id}/cancel`);
      expect([time, status, body]).toEqual([time, 200, { id, state: 'canceled' }]);
    }
    expect((await answer).status).toBe(409);
    model.answerWith('Done.');
    await send(slug);
    const last = await runtime.db.prisma.run.findFirstOrThrow({
      where: { state: 'completed' },
      orderBy: { id: 'desc' },
    });
    expect((await call('POST', `/api/v1/runs/${encodeId('run', last.id)}/cancel`)).status).toBe(409);
  });
});
