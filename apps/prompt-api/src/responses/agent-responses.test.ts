import { createUser } from '@millwright/accounts';
import { removeAgentRecord } from '@millwright/catalog';
import { decodeId, encodeId, newId, type Tx } from '@millwright/db';
import { listenTo } from '@millwright/db/notifications';
import { createRunStore, RUNS, type ClaimedRun, type Fence } from '@millwright/runs';
import { createApprovalStore, type CallApproval } from '@millwright/runs/approvals';
import OpenAI from 'openai';
import type { Response, ResponseCreateParamsNonStreaming } from 'openai/resources/responses/responses';
import { waitForDecisions } from '../test-agent-runs.js';
import { like, startTestApp, type TestApp } from '../test-app.js';

const model = 'agent/payer';
const input = 'Pay the bills.';

let app: TestApp;
let openai: OpenAI;
let stores: { runs: ReturnType<typeof createRunStore>; approvals: ReturnType<typeof createApprovalStore> };
const worker = newId();

const connect = (apiKey: string) => new OpenAI({ baseURL: `${app.url}/v1`, apiKey, maxRetries: 0 });

beforeAll(async () => {
  app = await startTestApp();
  openai = connect(await app.issueKey());
  stores = {
    runs: createRunStore(app.db),
    approvals: createApprovalStore(app.db, { hours: 1, baseUrl: 'http://console.test' }),
  };
  await app.call('POST', '/v1/agent', { body: { content: 'You pay.', prefix: 'payer', metadata: { title: 'Payer' } } });
});
afterAll(() => app.close());

/** Takes the next queued run, as a process of the runtime API does. */
async function take(): Promise<ClaimedRun> {
  for (;;) {
    const [run] = await app.db.transaction((tx) => stores.runs.takeNext(tx, worker, 1, 10));
    if (run) return run;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Takes a run and lets it wait for decisions about calls of the tool `pay`. @returns its uuid */
async function askFor(euros: readonly number[], needsOtherDecider = false, expiresAt?: Date): Promise<string> {
  const run = await take();
  await waitForDecisions(app.db, run, { euros, needsOtherDecider, expiresAt });
  return run.runId;
}

/** Takes the run again, makes the approved calls and ends the run. @returns the decisions */
async function finish(): Promise<CallApproval[]> {
  const { runId, attempt } = await take();
  const decided = await stores.approvals.listOfAnswer(runId, 1);
  await app.db.transaction(async (tx) => {
    for (const { id, hash, state } of decided) if (state === 'approved') await stores.approvals.use(tx, id, hash);
    await tx.$executeRaw`UPDATE runs SET prompt_tokens = 11, completion_tokens = 4 WHERE id = ${runId}::uuid`;
    await stores.runs.end(tx, { runId, attempt }, 'completed', { output: 'Paid.' });
  });
  return decided;
}

/**
 * Takes a run whose agent calls another agent. The run of the called agent waits for decisions, unless `wait` changes its state in another
 * way. @returns the child run
 */
async function callAnother(
  euros: readonly number[],
  wait?: (tx: Tx, fence: Fence) => Promise<void>,
): Promise<ClaimedRun> {
  const { runId, attempt, caller, subject } = await take();
  const child = await app.db.transaction((tx) => {
    const own = { id: newId(), caller, subject, channel: 'agent', model: 'm', depth: 1 } as const;
    return stores.runs.start(tx, { ...own, parent: { id: runId, step: 1 } }, worker);
  });
  const claimed = { ...child, caller, subject, attempt: 1 } as ClaimedRun;
  if (wait) await app.db.transaction((tx) => wait(tx, child));
  else await waitForDecisions(app.db, claimed, { euros });
  await app.db.transaction((tx) => stores.runs.wait(tx, { runId, attempt }, 'child'));
  return claimed;
}

/** Ends the child run once it is queued again, and then its parent. */
async function finishBoth({ runId }: ClaimedRun): Promise<void> {
  const takeQueued = async () => (await app.db.transaction((tx) => stores.runs.takeQueued(tx, worker, [runId])))[0];
  let child = await takeQueued();
  while (!child) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    child = await takeQueued();
  }
  const fence = child;
  await app.db.transaction((tx) => stores.runs.end(tx, fence, 'completed', { output: 'Paid below.' }));
  await app.db.transaction((tx) => stores.runs.resumeParents(tx, 10));
  await finish();
}

async function askedResponse(euros: readonly number[], needsOtherDecider = false): Promise<Response> {
  const [response] = await Promise.all([openai.responses.create({ model, input }), askFor(euros, needsOtherDecider)]);
  return response;
}

const idsOf = ({ output }: Response) => output.map(({ id = '' }) => id);
const answers = (response: Response, ids: readonly string[], approve = true, reason?: string) =>
  ({
    ...{ model, previous_response_id: response.id },
    input: ids.map((id) => ({ type: 'mcp_approval_response', approval_request_id: id, approve, reason })),
  }) satisfies ResponseCreateParamsNonStreaming;

async function failure(promise: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof OpenAI.APIError) return error;
  throw new Error('it did not fail as an APIError', { cause: error });
}

const decisionsAbout = async (ids: readonly string[]) => {
  const where = { resource: { in: [...ids] }, action: 'approval.decide' };
  return app.db.prisma.governanceDecision.findMany({ where, orderBy: { seq: 'asc' } });
};

describe('responses.create with an agent', () => {
  it("returns the text and the usage of the agent's run", async () => {
    const [response, decided] = await Promise.all([
      openai.responses.create({ model, instructions: 'Be quick.', input }),
      finish(),
    ]);
    expect(decided).toEqual([]);
    expect(response).toMatchObject({
      ...{ id: like(/^resp_/), status: 'completed', model, output_text: 'Paid.', store: true },
      usage: { input_tokens: 11, output_tokens: 4, total_tokens: 15 },
    });
    const run = await app.db.prisma.run.findUniqueOrThrow({ where: { id: decodeId('resp', response.id) ?? '' } });
    expect(run).toMatchObject({ channel: 'responses', subject_kind: 'agent', state: 'completed' });
    const turns = await app.db.prisma.contextMessage.findMany({ where: { context_id: run.context_id ?? '' } });
    expect(turns.map(({ content }) => content)).toEqual(['Be quick.\n\nPay the bills.']);
  });

  it('requests decisions about tool calls of called agents, and applies the decisions to the runs of these agents', async () => {
    const [asked, child] = await Promise.all([openai.responses.create({ model, input }), callAnother([5, 7])]);
    expect(asked.output.map(({ type }) => type)).toEqual(['mcp_approval_request', 'mcp_approval_request']);
    const [first = '', second = ''] = idsOf(asked);
    const half = await openai.responses.create(answers(asked, [first]));
    expect(idsOf(half)).toEqual([second]);
    const foreign = answers(await askedResponse([9]), [second]);
    expect((await failure(openai.responses.create(foreign))).status).toBe(400);
    const [done] = await Promise.all([
      openai.responses.create(answers(half, [second], false, 'No.')),
      finishBoth(child),
    ]);
    expect(done.output_text).toBe('Paid.');
    const stored = await app.db.prisma.approval.findMany({ where: { run_id: child.runId } });
    expect(stored.map(({ state }) => state).toSorted()).toEqual(['approved', 'refused']);
  });

  it('answers 409 while the run of a called agent waits for anything but a decision', async () => {
    const [refused] = await Promise.all([
      failure(openai.responses.create({ model, input })),
      callAnother([], (tx, fence) => stores.runs.wait(tx, fence, 'outcome')),
    ]);
    expect([refused.status, refused.message]).toEqual([409, expect.stringContaining('waits: child')]);
  });

  it('answers 409, with the address for connecting an account, while the run of a called agent waits for an account of its user', async () => {
    const data = { server: 'ms_1', name: 'Letters', url: 'https://runtime.test/connections/ms_1' };
    const [refused] = await Promise.all([
      failure(openai.responses.create({ model, input })),
      callAnother([], (tx, fence) => stores.runs.wait(tx, fence, 'connection', { data })),
    ]);
    expect([refused.status, refused.message]).toEqual([
      409,
      expect.stringContaining(`waits: child. Connect an account to Letters: ${data.url}`),
    ]);
  });

  it('notifies worker processes of a new run, and of a run that continues because all its calls are decided', async () => {
    const payloads: string[] = [];
    const connected = Promise.withResolvers<undefined>();
    const listener = listenTo({
      ...{ url: app.database.url, channel: RUNS, onNotify: (payload) => payloads.push(payload) },
      onConnected: () => {
        connected.resolve(undefined);
        return Promise.resolve();
      },
      onError: connected.reject,
    });
    await connected.promise;
    const asked = await askedResponse([5, 7]);
    const queued = `${decodeId('resp', asked.id) ?? ''} queued`;
    const count = () => payloads.filter((payload) => payload.split(',').includes(queued)).length;
    const reach = async (expected: number) => {
      while (count() < expected) await new Promise((resolve) => setTimeout(resolve, 10));
      expect(count()).toBe(expected);
    };
    await reach(1);
    const [first = '', second = ''] = idsOf(asked);
    await openai.responses.create(answers(asked, [first]));
    expect(count()).toBe(1);
    await Promise.all([openai.responses.create(answers(asked, [second])), finish()]);
    await reach(2);
    await listener.close();
  });

  it('requests decisions about calls, and continues the run once all calls are decided', async () => {
    const asked = await askedResponse([5, 7]);
    const request = { id: like(/^apr_/), type: 'mcp_approval_request', name: 'pay', server_label: 'Bank' };
    expect(asked.output).toEqual([
      { ...request, arguments: '{"euros":5}' },
      { ...request, arguments: '{"euros":7}' },
    ]);
    expect([asked.status, asked.output_text]).toEqual(['completed', '']);
    const [first = '', second = ''] = idsOf(asked);
    const half = await openai.responses.create(answers(asked, [first]));
    expect(idsOf(half)).toEqual([second]);
    const [done, decided] = await Promise.all([
      openai.responses.create(answers(half, [second], false, 'Too much.')),
      finish(),
    ]);
    expect(done.output_text).toBe('Paid.');
    expect(new Set([asked.id, half.id, done.id]).size).toBe(3);
    expect(decided).toMatchObject([
      { callId: 'call_0', state: 'approved', reason: null, editedArguments: null },
      { callId: 'call_1', state: 'refused', reason: 'Too much.' },
    ]);
    const stored = await app.db.prisma.approval.findMany({ where: { run_id: decodeId('resp', asked.id) ?? '' } });
    expect(stored.map(({ state, decided_by }) => [state, decided_by]).toSorted()).toEqual([
      ['refused', app.author.id],
      ['used', app.author.id],
    ]);
    const audited = await decisionsAbout([first, second]);
    expect(audited.map(({ resource, decision, detail }) => [resource, decision, detail])).toEqual([
      [first, 'allow', expect.objectContaining({ tool: 'pay', decision: 'approved', edited: false })],
      [second, 'allow', expect.objectContaining({ tool: 'pay', decision: 'refused', edited: false })],
    ]);
  });

  it('streams the request for a decision, and the answer after the decision', async () => {
    const typesOf = async (params: ResponseCreateParamsNonStreaming) => {
      const types: string[] = [];
      const stream = openai.responses.stream({ ...params, stream: true });
      for await (const { type } of stream) types.push(type);
      return { types, response: await stream.finalResponse() };
    };
    const [asked] = await Promise.all([typesOf({ model, input }), askFor([5])]);
    const begun = ['response.created', 'response.in_progress', 'response.output_item.added'];
    expect(asked.types).toEqual([...begun, 'response.output_item.done', 'response.completed']);
    const [done] = await Promise.all([typesOf(answers(asked.response, idsOf(asked.response))), finish()]);
    expect(done.types.slice(0, 4)).toEqual([...begun, 'response.content_part.added']);
    expect(done.response.output_text).toBe('Paid.');
  });

  it('accepts one of many simultaneous requests with the same decision, and answers 409 to the others', async () => {
    const asked = await askedResponse([5]);
    const finished = finish();
    const all = await Promise.all(
      Array.from({ length: 20 }, () =>
        openai.responses.create(answers(asked, idsOf(asked))).then(
          () => 200,
          (error: unknown) => (error instanceof OpenAI.APIError ? Number(error.status) : 0),
        ),
      ),
    );
    await finished;
    expect(all.toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    expect(await decisionsAbout(idsOf(asked))).toHaveLength(1);
  });

  it('answers 409 for an overdue decision and 403 when another user has to decide, and changes nothing in both cases', async () => {
    const overdue = await askedResponse([5]);
    const [late = ''] = idsOf(overdue);
    await app.db.prisma.approval.update({
      where: { id: decodeId('apr', late) ?? '' },
      data: { expires_at: new Date(0) },
    });
    expect((await failure(openai.responses.create(answers(overdue, [late])))).status).toBe(409);
    const foreign = await askedResponse([5], true);
    expect((await failure(openai.responses.create(answers(foreign, idsOf(foreign))))).status).toBe(403);
    const ids = [late, ...idsOf(foreign)].map((id) => decodeId('apr', id) ?? '');
    expect(await app.db.prisma.approval.count({ where: { id: { in: ids }, state: 'pending' } })).toBe(2);
  });

  it('waits for a run whose approvals are overdue until the run continues and completes', async () => {
    const answer = openai.responses.create({ model, input });
    const runId = await askFor([5], false, new Date(0));
    // The answer to this second request shows that the service has also noticed that the first run waits.
    await askedResponse([7]);
    await app.db.transaction((tx) => stores.runs.resume(tx, runId, 'approval'));
    const [response] = await Promise.all([answer, finish()]);
    expect(response.output_text).toBe('Paid.');
  });

  it('answers 403 without the scopes agents:message and runs:approve, and records both refusals', async () => {
    const asked = await askedResponse([5]);
    const before = await app.db.prisma.governanceDecision.count({ where: { decision: 'deny' } });
    for (const [scope, given] of [
      ['agents:message', ['prompts:run', 'runs:approve']],
      ['runs:approve', ['prompts:run', 'agents:message']],
    ] as const) {
      const limited = connect(await app.issueKey({ scopes: [...given] }));
      const error = await failure(limited.responses.create(answers(asked, idsOf(asked))));
      expect([error.status, error.message]).toEqual([403, expect.stringContaining(scope)]);
    }
    expect(await app.db.prisma.governanceDecision.count({ where: { decision: 'deny' } })).toBe(before + 2);
  });

  it("answers 400 for approvals of another response or of another user's run, for repeated approvals and for unknown approvals", async () => {
    const [asked, other] = [await askedResponse([5]), await askedResponse([5])];
    const own = idsOf(asked);
    const decided = async (body: object) => {
      const error = await failure(openai.responses.create(body as ResponseCreateParamsNonStreaming));
      return [error.status, error.param];
    };
    const named = (index: number) => [400, `input.${index}.approval_request_id`];
    expect(await decided(answers(asked, idsOf(other)))).toEqual(named(0));
    expect(await decided(answers(asked, [...own, ...own]))).toEqual(named(1));
    expect(await decided(answers(asked, [encodeId('apr', newId())]))).toEqual(named(0));
    expect(await decided(answers(asked, ['mcpr_1']))).toEqual(named(0));
    expect(await decided({ ...answers(asked, own), previous_response_id: undefined })).toEqual([
      400,
      'previous_response_id',
    ]);
    const { input: items } = answers(asked, own);
    expect(await decided({ ...answers(asked, own), input: [...items, { role: 'user', content: 'Go on.' }] })).toEqual([
      400,
      'input',
    ]);
    expect(await decided({ ...answers(asked, own), model: 'fake-model' })).toEqual([400, 'input.0']);
    await app.db.transaction((tx) =>
      createUser(tx, { email: 'bea@example.com', name: 'Bea', role: 'user', platformAdmin: false, project: 'Core' }),
    );
    const { id: user_id } = await app.db.prisma.user.findUniqueOrThrow({ where: { email: 'bea@example.com' } });
    await app.db.prisma.run.update({ where: { id: decodeId('resp', asked.id) ?? '' }, data: { user_id } });
    const key = await app.issueKey({ scopes: ['prompts:run', 'agents:message', 'runs:approve'] });
    const error = await failure(connect(key).responses.create(answers(asked, own)));
    expect([error.status, error.param]).toEqual(named(0));
  });

  it('accepts decisions about tool calls by an agent that was deleted meanwhile; a new request to this agent answers 404', async () => {
    await app.call('POST', '/v1/agent', { body: { content: 'You pay.', prefix: 'gone', metadata: { title: 'Gone' } } });
    const gone = { model: 'agent/gone' };
    const [asked] = await Promise.all([openai.responses.create({ ...gone, input }), askFor([3])]);
    const { id, created_by } = await app.db.prisma.agent.findUniqueOrThrow({ where: { slug: 'gone' } });
    const caller = { project: 'Core', actor: { userId: created_by, kind: 'user', label: 'Ann' } } as const;
    const target = { id: encodeId('ag', id), ifMatch: undefined };
    await app.db.transaction((tx) => removeAgentRecord(tx, caller, target));
    const [response, decided] = await Promise.all([
      openai.responses.create({ ...answers(asked, idsOf(asked)), ...gone }),
      finish(),
    ]);
    expect([response.output_text, decided.map(({ state }) => state)]).toEqual(['Paid.', ['approved']]);
    expect((await failure(openai.responses.create({ ...gone, input }))).status).toBe(404);
  });

  it('answers 409 for a run that waits for a budget, 503 for a failed run, and 404 for an unknown agent', async () => {
    const ending = async (end: (run: ClaimedRun) => Promise<unknown>) => {
      const answer = failure(openai.responses.create({ model, input }));
      await end(await take());
      return (await answer).status;
    };
    const { runs } = stores;
    expect(await ending((run) => app.db.transaction((tx) => runs.wait(tx, run, 'budget')))).toBe(409);
    const error = { code: 'unavailable', text: '' } as const;
    expect(await ending((run) => app.db.transaction((tx) => runs.end(tx, run, 'failed', { error })))).toBe(503);
    expect((await failure(openai.responses.create({ model: 'agent/none', input }))).status).toBe(404);
  });

  it.each([
    ['tools', { tools: [{ type: 'function', name: 'x', parameters: {}, strict: false }] }],
    ['tool_choice', { tool_choice: 'required' }],
    ['temperature', { temperature: 1 }],
    ['max_output_tokens', { max_output_tokens: 10 }],
    ['text.format', { text: { format: { type: 'json_object' } } }],
    ['background', { background: true }],
    ['store', { store: false }],
    ['previous_response_id', { previous_response_id: 'resp_0000000000000000000000' }],
    ['input', { input: [] }],
    ['input.0', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
  ])('answers 400, and the error names %s', async (param, changes) => {
    const body = { model, input, ...changes } as ResponseCreateParamsNonStreaming;
    const error = await failure(openai.responses.create(body));
    expect([error.status, error.param]).toEqual([400, param]);
  });
});
