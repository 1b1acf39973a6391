import type { IncomingMessage, ServerResponse } from 'node:http';
import { encodeId, newId } from '@millwright/db';
import { inSpan, startTracing } from '@millwright/telemetry';
import {
  createFakeModel,
  createTestDatabase,
  createTraceCollector,
  listen,
  type FakeModel,
  type HttpClient,
  type ListeningApp,
  type ModelBehaviour,
  type ModelRequest,
  type TestDatabase,
} from '@millwright/testing';
import type { RunStep } from './runs.contract.js';
import { agentIdOf, startRuntime, type TestRuntime } from '../test-runtime.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let call: HttpClient;
let admin: HttpClient;
let upstream: ListeningApp;
let plugin: string;
let answer: { status: number; body: string };

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  upstream = await listen((_request: IncomingMessage, response: ServerResponse) =>
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body),
  );
  runtime = await startRuntime(database.url, model.url);
  call = runtime.as(await runtime.newToken());
  ({ id: plugin } = await runtime.newPlugin({ name: 'weather', type: 'tool', config: { url: upstream.url } }));
  const { id: userId } = await runtime.newUser('grace@example.com', { role: 'admin' });
  admin = runtime.as(await runtime.newToken({ userId }));
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close(), upstream.close()]);
});
beforeEach(() => {
  answer = { status: 200, body: '{"sunny":true}' };
});

interface Asked {
  name: string;
  arguments?: string;
  id?: string;
}

/** Creates an agent with the tool `weather`. Its model makes these calls in its first answer, and then answers with a text. */
async function newAgent(calls: readonly Asked[], model_parameters: object = {}): Promise<string> {
  const name = `Teller${newId().slice(-8)}`;
  const { id } = await runtime.newAgent({ name, instructions: 'Be brief.', model_parameters });
  await runtime.db.prisma.agentPlugin.create({ data: { agent_id: id, plugin_id: plugin, position: 0 } });
  const agent = name.toLowerCase();
  model.answerWith(({ body }: ModelRequest): ModelBehaviour => {
    const asked = body.messages.some(({ role }) => role === 'tool');
    if (asked || calls.length === 0) return { content: 'It is sunny.' };
    return {
      content: 'One moment.',
      toolCalls: calls.map(({ name: tool, arguments: args = '{}', id = 'call_1' }) => ({
        id,
        type: 'function',
        function: { name: tool, arguments: args },
      })),
    };
  });
  return agent;
}

async function runOf(agent: string) {
  const where = { subject_id: await agentIdOf(runtime, agent) };
  return runtime.db.prisma.run.findFirstOrThrow({ where, include: { steps: { orderBy: { seq: 'asc' } } } });
}

async function sent(agent: string) {
  const { status } = await call('POST', `/api/v1/agents/${agent}/messages`, { json: { content: 'Weather?' } });
  return { status, run: await runOf(agent) };
}

describe('the steps of a run', () => {
  it('contain the parameters of each model call, and the messages that were sent in addition to the conversation', async () => {
    const agent = await newAgent([{ name: 'weather' }]);
    const { run } = await sent(agent);
    const [first, tool, last] = run.steps;
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
    const parameters = { stream: false, tools: ['weather'], tools_hash: hash };
    expect(first).toMatchObject({ kind: 'model', parameters, added: [{ role: 'system' }] });
    expect(JSON.stringify(first?.added)).toContain('Be brief.');
    expect(tool).toMatchObject({ kind: 'tool', outcome: 'succeeded', result: '{"sunny":true}', error_code: null });
    expect(tool?.definition_hash).toHaveLength(32);
    expect(last).toMatchObject({ kind: 'model', parameters, added: null });
    const read = async (seq: number) =>
      (await call('GET', `/api/v1/runs/${encodeId('run', run.id)}/steps/${seq}`)).body as {
        messages: { role: string }[];
        added: unknown;
      };
    const [one, three] = [await read(1), await read(3)];
    expect(one.messages.map(({ role }) => role)).toEqual(['user']);
    expect(three.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(three.added).toEqual(one.added);
  });

  it('contain the model parameters of the agent, with which every model call of the run is made', async () => {
    const set = { temperature: 0, max_tokens: 500, top_p: 0.9, reasoning_effort: 'high', stop: ['END'] };
    const agent = await newAgent([{ name: 'weather' }], set);
    const before = model.requests.length;
    const { run } = await sent(agent);
    const calls = model.requests.slice(before).map(({ body }) => body);
    expect(calls).toMatchObject([set, set]);
    expect(run.steps.filter(({ kind }) => kind === 'model')).toMatchObject([{ parameters: set }, { parameters: set }]);
  });

  it('contain the time of the first text of a streamed answer', async () => {
    const agent = await newAgent([]);
    await call('POST', `/api/v1/agents/${agent}/messages?stream=true`, { json: { content: 'Weather?' } });
    const [step] = (await runOf(agent)).steps;
    const times = [step?.started_at, step?.first_token_at, step?.ended_at].map((at) => at?.getTime() ?? 0);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(step).toMatchObject({ first_token_at: expect.any(Date) as Date, parameters: { stream: true } });
  });

  it("contain, for readers of all runs, the upstream's status and error message without credentials", async () => {
    answer = { status: 502, body: '{"why":"no upstream","api_key":"Zx81kQ7vTn42LmPe"}' };
    const { run } = await sent(await newAgent([{ name: 'weather' }]));
    expect(run.steps[1]).toMatchObject({ outcome: 'failed', error_code: 'unavailable', error_status: 502 });
    expect(run.steps[1]?.error_text).toBe('{"why":"no upstream","api_key":"[removed]"}');
    expect(run.steps[1]?.result).not.toContain('no upstream');
    const path = `/api/v1/runs/${encodeId('run', run.id)}/steps/2`;
    expect((await call('GET', path)).text).not.toContain('no upstream');
    expect((await admin('GET', path)).text).toContain('no upstream');
  });

  it('contain the last answer of the model when the agent is deleted during the call of the model', async () => {
    const agent = await newAgent([]);
    const subject_id = await agentIdOf(runtime, agent);
    model.answerWith(async () => {
      await runtime.db.prisma.agent.delete({ where: { id: subject_id } });
      return 'Too late.';
    });
    expect((await call('POST', `/api/v1/agents/${agent}/messages`, { json: { content: 'Weather?' } })).status).toBe(
      404,
    );
    const run = await runtime.db.prisma.run.findFirstOrThrow({ where: { subject_id }, include: { steps: true } });
    expect(run).toMatchObject({ state: 'failed', error_code: 'agent_deleted', step_count: 1 });
    expect(run.steps).toMatchObject([{ seq: 1, kind: 'model', outcome: 'succeeded', answer: 'Too late.' }]);
    expect([
      Number(run.prompt_tokens) > 0,
      await runtime.db.prisma.usageEvent.count({ where: { subject_id } }),
    ]).toEqual([true, 1]);
  });

  it('contain the HTTP status and message of a failed model request', async () => {
    const agent = await newAgent([]);
    model.answerWith({ status: 400, body: { error: { message: 'The context is too long.' } } });
    const { status, run } = await sent(agent);
    expect([status, run.state]).toEqual([503, 'failed']);
    expect(run.steps).toMatchObject([{ kind: 'model', outcome: 'failed', error_status: 400 }]);
    expect(run.steps[0]?.error_text).toContain('The context is too long.');
  });

  it.each([
    ['of a tool that does not exist', 'nothing', '{}', 'forbidden'],
    ['with arguments that are not JSON', 'weather', '{"a":', 'validation_error'],
    ['with arguments that are not an object', 'weather', '[1]', 'validation_error'],
  ])('contain a refused call %s, for which nothing was sent', async (_what, name, args, error_code) => {
    const { status, run } = await sent(await newAgent([{ name, arguments: args }]));
    expect([status, run.tool_call_count]).toEqual([200, 1]);
    expect(run.steps[1]).toMatchObject({
      ...{ kind: 'tool', outcome: 'failed', tool: name, idempotency_key: null, asked_by: 1, error_code },
      ...{ arguments: args, ended_at: expect.any(Date) as Date },
    });
  });

  it("contain a call that its tool's rule denies", async () => {
    const agent = await newAgent([{ name: 'weather' }]);
    const mark = (rule: string | null) =>
      runtime.db.prisma.plugin.update({ where: { id: plugin }, data: { rule, rule_version: 1 } });
    await mark('deny');
    const { run } = await sent(agent);
    await mark(null);
    const error_text = 'The rule of the tool refuses its calls.';
    expect(run.steps[1]).toMatchObject({ outcome: 'failed', error_code: 'forbidden', error_text, rule: 'deny' });
    expect(run.steps[1]?.definition_hash).toHaveLength(32);
  });

  it('contain the rule under which a call was made, even after the rule was changed', async () => {
    const agent = await newAgent([{ name: 'weather' }, { name: 'nothing', id: 'call_none' }]);
    const mark = (rule: string | null) =>
      runtime.db.prisma.plugin.update({ where: { id: plugin }, data: { rule, rule_version: 1 } });
    const { run } = await sent(agent);
    await mark('deny');
    const { body } = await call('GET', `/api/v1/runs/${encodeId('run', run.id)}/steps`);
    await mark(null);
    const { items } = body as { items: RunStep[] };
    const rules = Object.fromEntries(items.map(({ tool, rule }) => [tool ?? 'model', rule]));
    expect(rules).toEqual({ model: null, weather: 'allow', nothing: null });
  });

  it('contain each call once, even calls with repeated ids and calls beyond the limit of one answer', async () => {
    const calls = Array.from({ length: 40 }, () => ({ name: 'weather', id: 'same' }));
    const { run } = await sent(await newAgent(calls));
    const tools = run.steps.filter(({ kind }) => kind === 'tool');
    expect(new Set(tools.map(({ call_id }) => call_id)).size).toBe(32);
    expect(tools.filter(({ outcome }) => outcome === 'succeeded')).toHaveLength(16);
    expect(tools.filter(({ error_code }) => error_code === 'forbidden')).toHaveLength(16);
  });
});

describe('a run', () => {
  it('ends after eight answers of a model that always calls tools', async () => {
    const agent = await newAgent([]);
    const asked = { name: 'weather', arguments: '{}' };
    model.answerWith({ content: 'Again.', toolCalls: [{ id: 'same', type: 'function', function: asked }] });
    const { status, run } = await sent(agent);
    expect([status, run.state]).toEqual([200, 'completed']);
    const of = (wanted: string) => run.steps.filter(({ kind }) => kind === wanted);
    expect([of('model').length, of('tool').length]).toEqual([8, 7]);
    expect(of('model').map(({ answer: text }) => text)).toEqual(Array(8).fill('Again.'));
  });

  it('fails when its model sends a malformed body, and its steps contain the failed call of the model', async () => {
    const agent = await newAgent([]);
    model.answerWith({ garbage: true });
    const { status, run } = await sent(agent);
    expect([status, run.state, run.error_code]).toEqual([503, 'failed', 'unavailable']);
    expect(run.steps).toMatchObject([{ kind: 'model', outcome: 'failed', answer: null, error_code: 'unavailable' }]);
  });

  it('has the kind and id of the credential that started it', async () => {
    const { run } = await sent(await newAgent([]));
    expect(run).toMatchObject({ credential_kind: 'access_token', credential_id: expect.any(String) as string });
  });

  it('has a trace with a span for each step', async () => {
    const agent = await newAgent([
      { name: 'weather', id: 'call_a' },
      { name: 'nothing', id: 'call_b' },
    ]);
    const collector = await createTraceCollector();
    const config = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER: 'always_on',
      OTEL_TRACES_SAMPLER_ARG: '1',
    };
    const tracing = await startTracing({ service: 'runtime', version: '1', config, onError: () => undefined });
    const { run } = await inSpan('test', { parent: 'root' }, () => sent(agent));
    await tracing.close();
    const spans = collector.spans.filter(({ traceId }) => traceId === run.trace_id);
    const within = spans.find(({ name }) => name === `invoke_agent ${agent}`);
    expect(within?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': agent,
      'gen_ai.agent.version': String(run.subject_version),
      'gen_ai.conversation.id': encodeId('ctx', run.context_id ?? ''),
      'millwright.run.id': encodeId('run', run.id),
    });
    const children = (operation: string) =>
      spans.filter(
        ({ parentSpanId, attributes }) =>
          parentSpanId === within?.spanId && attributes['gen_ai.operation.name'] === operation,
      );
    expect(children('chat').map(({ attributes }) => attributes['gen_ai.usage.input_tokens'])).toEqual(
      run.steps.filter(({ kind }) => kind === 'model').map(({ prompt_tokens }) => prompt_tokens),
    );
    const tools = children('execute_tool').map(({ attributes, failed }) => ({
      seq: attributes['millwright.run.step'],
      tool: attributes['gen_ai.tool.name'],
      call_id: attributes['gen_ai.tool.call.id'],
      failed,
    }));
    const steps = run.steps.filter(({ kind }) => kind === 'tool');
    expect(tools.toSorted((a, b) => Number(a.seq) - Number(b.seq))).toEqual(
      steps.map(({ seq, tool, call_id, outcome }) => ({ seq, tool, call_id, failed: outcome === 'failed' })),
    );
    expect(collector.written()).not.toContain('sunny');
    await collector.close();
  });
});
