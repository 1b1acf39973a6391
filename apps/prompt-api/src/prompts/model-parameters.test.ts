import type { RunResult } from '../runs/runs.contract.js';
import { greeting, startTestApp, type TestApp } from '../test-app.js';
import type { Diff } from './versions.contract.js';
import type { Prompt } from './prompts.contract.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const model_parameters = { temperature: 0.2, top_p: 0.5, max_tokens: 40, stop: ['END'], reasoning_effort: 'low' };
const create = async (over: object = {}) =>
  (await app.call<Prompt>('POST', '/v1/prompt', { body: { ...greeting, input: {}, model_parameters, ...over } })).body;
const sent = () => app.model.requests.at(-1)?.body;

describe('model_parameters of a prompt', () => {
  it('are part of its versions: they stay when other fields change, are replaced as a whole, and appear in diffs and restored versions', async () => {
    const { _link, ...made } = await create();
    expect(made.model_parameters).toEqual(model_parameters);
    const change = (body: object) => app.call<Prompt>('PUT', _link, { body });
    expect((await change({ metadata: { title: 'Second' } })).body.model_parameters).toEqual(model_parameters);
    expect((await change({ model_parameters: { temperature: 1 } })).body.model_parameters).toEqual({ temperature: 1 });
    const { changes } = (await app.call<Diff>('GET', `${_link}/version/3/diff`)).body;
    expect(changes).toEqual([{ path: 'model_parameters', from: model_parameters, to: { temperature: 1 } }]);
    expect((await app.call<Prompt>('GET', `${_link}/version/1`)).body.model_parameters).toEqual(model_parameters);
    const restored = await app.call<Prompt>('POST', `${_link}/version/1/restore`, { body: {} });
    expect(restored.body.model_parameters).toEqual(model_parameters);
    expect((await create({ model_parameters: undefined })).model_parameters).toEqual({});
  });

  it.each([
    [{ temperature: 3 }, 'model_parameters.temperature'],
    [{ max_tokens: 0 }, 'model_parameters.max_tokens'],
    [{ reasoning_effort: 'huge' }, 'model_parameters.reasoning_effort'],
    [{ stop: ['a', 'b', 'c', 'd', 'e'] }, 'model_parameters.stop'],
    [{ seed: 1 }, 'model_parameters.seed'],
  ])('are refused with 400 in a prompt and in a run when they are %j, and the error names %s', async (wrong, field) => {
    const { _link } = await create();
    const body = { model_parameters: wrong };
    for (const [method, path, sending] of [
      ['POST', '/v1/prompt', { ...greeting, ...body }],
      ['PUT', _link, body],
      ['POST', `${_link}/openai`, { message: 'Hi', ...body }],
    ] as const) {
      const answer = await app.call(method, path, { body: sending });
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(`${field}: `)]);
    }
  });
});

describe('POST /v1/prompt/{uuid}/openai', () => {
  it("sends the prompt's parameters unless the request has its own, and stores the sent parameters in the run's step", async () => {
    const { id, _link } = await create();
    const run = (body: object) => app.call<RunResult>('POST', `${_link}/openai`, { body: { message: 'Hi', ...body } });
    expect((await run({})).status).toBe(200);
    expect(sent()).toMatchObject(model_parameters);
    await run({ model_parameters: { temperature: 1, max_tokens: 5 } });
    const own = { ...model_parameters, temperature: 1, max_tokens: 5 };
    expect(sent()).toMatchObject(own);
    const { steps } = await app.db.prisma.run.findFirstOrThrow({
      where: { subject_id: id },
      orderBy: { id: 'desc' },
      include: { steps: true },
    });
    expect(steps).toMatchObject([{ parameters: { stream: false, ...own } }]);
  });
});

describe('POST /v1/chat/completions', () => {
  it("sends the parameters of the named prompt's version unless the request has its own", async () => {
    const { id } = await create();
    const body = { model: `prompt/${id}`, messages: [{ role: 'user', content: 'Hi' }], temperature: 2, seed: 7 };
    expect((await app.call('POST', '/v1/chat/completions', { body })).status).toBe(200);
    expect(sent()).toMatchObject({ ...model_parameters, temperature: 2, seed: 7 });
  });
});
