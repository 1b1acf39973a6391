import { decodeId, encodeId, forgetConversations } from '@millwright/db';
import type { Prompt } from '../prompts/prompts.contract.js';
import { greeting, startTestApp, type TestApp } from '../test-app.js';

interface RunAnswer {
  data: { conversation: { id: string }; message: { id: string } };
}

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  app.model.requests.length = 0;
  app.model.answerWith('Two words.');
});

const create = async (changes: object = {}) =>
  (await app.call<Prompt>('POST', '/v1/prompt', { body: { ...greeting, input: {}, ...changes } })).body;

const runsOf = ({ id }: Pick<Prompt, 'id'>) =>
  app.db.prisma.run.findMany({
    where: { subject_id: id },
    include: { steps: { orderBy: { seq: 'asc' } }, events: { orderBy: { seq: 'asc' } } },
  });

const send = (path: string, body: object, headers: Record<string, string> = {}) =>
  app.call('POST', path, { body, headers });

describe('POST /v1/prompt/{uuid}/openai', () => {
  it("stores a run with its one step: the model's input and answer, tokens and cost", async () => {
    const prompt = await create();
    expect((await send(`/v1/prompt/${prompt.id}/openai`, { message: 'hi', temperature: 0 })).status).toBe(200);
    const [run, ...others] = await runsOf(prompt);
    expect(others).toEqual([]);
    const { prompt_tokens: input, completion_tokens: output } = run ?? {};
    expect(run).toMatchObject({
      ...{ project: 'Core', user_id: app.author.id, subject_kind: 'prompt', subject_version: 1, channel: 'prompt' },
      ...{ credential_kind: 'api_key', state: 'completed', attempt: 1, step_count: 1, output: 'Two words.' },
      ...{ input: { message: 'hi' }, model: 'fake-model', error_code: null },
    });
    expect(Number(run?.cost_usd)).toBeCloseTo((Number(input) + 2 * Number(output)) / 1_000_000, 9);
    expect(run?.steps).toMatchObject([
      {
        kind: 'model',
        outcome: 'succeeded',
        answer: 'Two words.',
        prompt_tokens: Number(input),
        parameters: { stream: false },
      },
    ]);
    expect(JSON.stringify(run?.steps[0]?.added)).toContain('hi');
    expect(run?.events.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'run.running'],
      [2, 'run.completed'],
    ]);
  });

  it("stores a failed run, with the HTTP status and message of the model's server", async () => {
    const prompt = await create();
    app.model.answerWith({ status: 400, body: { error: { message: 'Not this one. api_key=Zx81kQ7vTn42' } } });
    expect((await send(`/v1/prompt/${prompt.id}/openai`, { message: 'hi' })).status).toBe(503);
    const [run] = await runsOf(prompt);
    expect(run).toMatchObject({ state: 'failed', error_code: 'unavailable', error_status: 400, output: null });
    expect(run?.steps).toMatchObject([{ outcome: 'failed', error_status: 400 }]);
    expect(run?.error_text).toContain('Not this one. api_key=[removed]');
  });

  it('stores a second model call as a second step', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    const prompt = await create({ output: { schema: { inline: schema } } });
    app.model.answerWith(() => ({ content: app.model.requests.length === 1 ? 'no JSON' : '{"n":1}' }));
    const { status } = await send(`/v1/prompt/${prompt.id}/openai`, { message: 'hi' });
    const [run] = await runsOf(prompt);
    expect([status, run?.steps.map(({ answer }) => answer)]).toEqual([200, ['no JSON', '{"n":1}']]);
    const tokens = run?.steps.reduce((sum, step) => sum + (step.prompt_tokens ?? 0), 0);
    expect(Number(run?.prompt_tokens)).toBe(tokens);
  });

  it('stores with a run its conversation and the message of the answer, and with a failed run the conversation that it continued', async () => {
    const prompt = await create();
    const path = `/v1/prompt/${prompt.id}/openai`;
    const { body } = await app.call<RunAnswer>('POST', path, { body: { message: 'hi' } });
    const { conversation, message } = body.data;
    app.model.answerWith({ status: 400, body: { error: { message: 'Not this one.' } } });
    expect((await send(path, { message: 'and?', conversation: conversation.id })).status).toBe(503);
    const runs = (await runsOf(prompt)).sort((a, b) => a.id.localeCompare(b.id));
    expect(runs).toMatchObject([
      { state: 'completed', conversation_id: conversation.id, answer_id: message.id },
      { state: 'failed', conversation_id: conversation.id, answer_id: null },
    ]);
    const [row] = await app.db.prisma.governanceDecision.findMany({
      where: { action: 'prompt.run', resource: prompt.id },
    });
    expect(row).toMatchObject({
      run: encodeId('run', runs[0]?.id ?? ''),
      detail: { conversation: conversation.id, version: 1 },
    });
  });

  it('stores one run for a repeated Idempotency-Key, and no run for a refused request', async () => {
    const prompt = await create();
    const headers = { 'idempotency-key': 'kept-once' };
    const again = () => send(`/v1/prompt/${prompt.id}/openai`, { message: 'hi' }, headers);
    expect([(await again()).status, (await again()).status]).toEqual([200, 200]);
    expect((await send(`/v1/prompt/${prompt.id}/openai`, { message: 3 })).status).toBe(400);
    expect(await runsOf(prompt)).toHaveLength(1);
  });
});

describe('DELETE /v1/conversation/{uuid}', () => {
  it("deletes the texts of the conversation's runs, and keeps the runs with their token counts", async () => {
    const prompt = await create();
    const path = `/v1/prompt/${prompt.id}/openai`;
    const { body } = await app.call<RunAnswer>('POST', path, { body: { message: 'hi' } });
    await app.call<RunAnswer>('POST', path, { body: { message: 'hi' } });
    expect((await app.call('DELETE', `/v1/conversation/${body.data.conversation.id}`)).status).toBe(204);
    await forgetConversations((work) => app.db.transaction(work));
    const runs = (await runsOf(prompt)).sort((a, b) => a.id.localeCompare(b.id));
    expect(runs.map(({ output, input }) => [output, input])).toEqual([
      [null, null],
      ['Two words.', { message: 'hi' }],
    ]);
    expect(runs[0]?.steps).toMatchObject([
      { added: null, answer: null, prompt_tokens: Number(runs[0]?.prompt_tokens) },
    ]);
  });
});

describe('POST /v1/responses', () => {
  it.each([
    ['with its messages and answer', true, 'Two words.'],
    ['without content when the request is not to be stored', false, null],
  ])('stores a run %s', async (_how, store, output) => {
    const prompt = await create();
    expect((await send('/v1/responses', { prompt: { id: prompt.id }, input: 'hi', store })).status).toBe(200);
    const [run] = await runsOf(prompt);
    expect(run).toMatchObject({ state: 'completed', channel: 'responses', output, step_count: 1 });
    expect(run?.steps[0]).toMatchObject({ answer: output, outcome: 'succeeded', model: 'fake-model' });
    expect([run?.input !== null, run?.steps[0]?.added !== null]).toEqual([store, store]);
    expect(run?.conversation_id !== null).toBe(store);
  });

  it("stores the id of the response's message in the run", async () => {
    const prompt = await create();
    const request = { body: { prompt: { id: prompt.id }, input: 'hi' } };
    const { body } = await app.call<{ output: { id: string }[] }>('POST', '/v1/responses', request);
    const [run] = await runsOf(prompt);
    expect(run?.answer_id).toBe(decodeId('msg', body.output[0]?.id ?? ''));
  });
});
