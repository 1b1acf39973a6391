import { SendMessageRequest, TaskState, type StreamResponse, type Task } from '@a2a-js/sdk';
import { ServiceParameters, withA2AExtensions, type Client } from '@a2a-js/sdk/client';
import { decodeId, newId } from '@millwright/db';
import { listen } from '@millwright/testing';
import { openApprovals, until, type TestApprovals } from '../runs/approvals/test-approvals.js';
import { HITL } from '../agents/a2a-interfaces.js';
import { all, answerOf, connect, says, WAYS } from './test-client.js';

let test: TestApprovals;
let token: string;
beforeAll(async () => {
  test = await openApprovals();
  token = await test.runtime.newToken();
});
afterAll(() => test.close());
beforeEach(() => {
  test.received.splice(0);
});

const PAY = { name: 'pay', rule: 'ask' } as const;
const pay = (euros: number) => ({ tool: 'pay', args: { euros } });
const { TASK_STATE_INPUT_REQUIRED: INPUT_REQUIRED, TASK_STATE_COMPLETED: COMPLETED } = TaskState;
const LIST = { tenant: '', pageToken: '', statusTimestampAfter: undefined };
const ACTIVE = { serviceParameters: ServiceParameters.create(withA2AExtensions(HITL)) };

interface Question {
  type: string;
  hint: string;
  tools: { id: string; call_id: string; name: string; args: unknown }[];
}

interface Pushed {
  statusUpdate: { status: { state: string } };
}

const statusOf = (task: Task) => task.status?.message;
/** Reads the input request from the data part of a task's status message. */
const questionOf = (task: Task): Question => {
  const parts = statusOf(task)?.parts ?? [];
  const data = parts.map(({ content }): unknown => (content?.$case === 'data' ? content.value : undefined));
  return data.find((value) => value !== undefined) as Question;
};
const idsOf = (task: Task) => questionOf(task).tools.map(({ id }) => id);
const decides = (task: Task, approvals: object[], asMetadata: boolean): SendMessageRequest => {
  const response = { type: 'tool_approval_response', approvals };
  const form = asMetadata
    ? { parts: [{ text: 'Decided.' }], metadata: { [HITL]: response }, extensions: [HITL] }
    : { parts: [{ data: response }] };
  return SendMessageRequest.fromJSON({
    message: { messageId: newId(), role: 'ROLE_USER', taskId: task.id, contextId: task.contextId, ...form },
  });
};
const named = (error: unknown) => (error as Error).name;

/** Creates an agent whose model requests payments of these amounts, and starts a task, which then waits for decisions about the payments. */
async function asking(client: (slug: string) => Promise<Client>, ...euros: number[]) {
  const slug = await test.newAgent([PAY], euros.map(pay));
  const by = await client(slug);
  const task = (await by.sendMessage(says('Pay.'))) as Task;
  expect(task.status?.state).toBe(INPUT_REQUIRED);
  return { slug, by, task };
}
const first = (slug: string) => connect(test.runtime.url, slug, token, ['1.0', 'JSONRPC']);
const bodiesOf = () => test.received.map(({ body }) => body);

describe.each(WAYS)(
  'a client of @a2a-js/sdk, with version %s and binding %s, whose task waits for decisions',
  (version, binding) => {
    const client = (slug: string) => connect(test.runtime.url, slug, token, [version, binding]);

    it('receives the waiting calls as text and as data, and can decide about all of them in one message with data', async () => {
      const { by, task } = await asking(client, 5, 6);
      const { type, hint, tools } = questionOf(task);
      expect([type, tools.map(({ args }) => args)]).toEqual(['tool_approval_request', [{ euros: 5 }, { euros: 6 }]]);
      const [text] = statusOf(task)?.parts.map(({ content }) => content?.value as unknown) ?? [];
      expect(text).toBe(hint);
      for (const id of idsOf(task)) expect(hint).toContain(id);
      expect(statusOf(task)?.extensions ?? []).toEqual([]);
      const [paid, unpaid] = idsOf(task);
      const decisions = [
        { id: paid, approved: true },
        { id: unpaid, approved: false, rejection_reason: 'Too much.' },
      ];
      const done = (await by.sendMessage(decides(task, decisions, false))) as Task;
      expect([done.id, done.status?.state, bodiesOf()]).toEqual([task.id, COMPLETED, [{ euros: 5 }]]);
      expect(answerOf(done)).toContain('"reason":"Too much."');
    });

    it('can activate the extension for decisions and decide in its form; the stream of the deciding message ends with the answer', async () => {
      const slug = await test.newAgent([PAY], [pay(5)]);
      const by = await client(slug);
      const task = (await by.sendMessage(says('Pay.'), ACTIVE)) as Task;
      const request = statusOf(task)?.metadata?.[HITL] as Question;
      expect([request, statusOf(task)?.extensions]).toEqual([questionOf(task), [HITL]]);
      const approvals = [{ id: request.tools[0]?.id, approved: true }];
      const events = await all(by.sendMessageStream(decides(task, approvals, true), ACTIVE));
      const last = events.findLast(({ payload }) => payload?.$case === 'statusUpdate') as StreamResponse;
      expect(last.payload?.value).toMatchObject({ status: { state: COMPLETED } });
      expect(bodiesOf()).toEqual([{ euros: 5 }]);
    });
  },
);

describe('a message to a task that waits for decisions', () => {
  it('decides about the call whose id is in its text; the other calls continue to wait', async () => {
    const { by, task } = await asking(first, 5, 6);
    const [one = '', other = ''] = idsOf(task);
    const refused = (await by.sendMessage(says(`Refuse ${one} Not today.`, { taskId: task.id }))) as Task;
    expect([refused.status?.state, idsOf(refused)]).toEqual([INPUT_REQUIRED, [other]]);
    const done = (await by.sendMessage(says(`approve ${other}`, { taskId: task.id }))) as Task;
    expect([done.status?.state, bodiesOf()]).toEqual([COMPLETED, [{ euros: 6 }]]);
    expect(answerOf(done)).toContain('"reason":"Not today."');
  });

  it('decides only once: when it is sent again, it is refused and does not decide about a later call', async () => {
    const slug = await test.newAgent([PAY], [pay(5)], [pay(6)]);
    const by = await first(slug);
    const task = (await by.sendMessage(says('Pay.'))) as Task;
    const old = decides(task, [{ id: idsOf(task)[0], approved: true }], false);
    const words = says(`approve ${String(idsOf(task)[0])}`, { taskId: task.id });
    const next = (await by.sendMessage(old)) as Task;
    expect([next.status?.state, questionOf(next).tools[0]?.args]).toEqual([INPUT_REQUIRED, { euros: 6 }]);
    for (const again of [old, words]) expect(await by.sendMessage(again).catch(named)).toBe('RequestMalformedError');
    expect(bodiesOf()).toEqual([{ euros: 5 }]);
    const done = (await by.sendMessage(decides(next, [{ id: idsOf(next)[0], approved: true }], false))) as Task;
    expect([done.status?.state, bodiesOf()]).toEqual([COMPLETED, [{ euros: 5 }, { euros: 6 }]]);
    expect(await by.sendMessage(words).catch(named)).toBe('UnsupportedOperationError');
  });

  it('is refused when it contains no decision, leaves out a call, decides twice about a call or names an unknown call', async () => {
    const { by, task } = await asking(first, 5, 6);
    const [one = '', other = ''] = idsOf(task);
    const yes = (id: string) => ({ id, approved: true });
    for (const wrong of [
      says('Yes, please.', { taskId: task.id }),
      says('approve', { taskId: task.id }),
      says('approve apr_0000000000000000000000', { taskId: task.id }),
      decides(task, [yes(one)], false),
      decides(task, [yes(one), yes(one)], false),
      decides(task, [yes(one), yes(other), yes('apr_0000000000000000000000')], false),
      decides(task, [{ id: one, approved: 'yes' }, yes(other)], true),
      decides({ ...task, contextId: 'ctx_0000000000000000000000' }, [yes(one), yes(other)], false),
    ])
      expect(await by.sendMessage(wrong).catch(named)).toBe('RequestMalformedError');
    expect([await by.getTask({ id: task.id, tenant: '' }), bodiesOf()]).toEqual([task, []]);
  });

  it('is refused when another user sends it, when its token lacks the scope runs:approve, and when the requester must not decide', async () => {
    const { slug, task } = await asking(first, 5);
    const message = () => decides(task, [{ id: idsOf(task)[0], approved: true }], false);
    const { id: userId } = await test.runtime.newUser('mallory@example.com');
    const by = async (credential: string) => connect(test.runtime.url, slug, credential, ['1.0', 'JSONRPC']);
    const stranger = await by(await test.runtime.newToken({ userId }));
    expect(await stranger.sendMessage(message()).catch(named)).toBe('TaskNotFoundError');
    const narrow = await by(await test.runtime.newToken({ scopes: ['agents:message'] }));
    expect(await narrow.sendMessage(message()).catch(named)).not.toBe('TaskNotFoundError');
    const denied = await test.runtime.db.prisma.governanceDecision.findMany({
      where: { action: 'approval.decide', decision: 'deny' },
    });
    expect(denied).toMatchObject([{ reason: 'scope runs:approve is missing' }]);
    const guarded = await test.newAgent([{ ...PAY, otherDecider: true }], [pay(7)]);
    const own = await first(guarded);
    const waiting = (await own.sendMessage(says('Pay.'))) as Task;
    expect(questionOf(waiting).hint).toContain('Another user has to decide: http://console.test/admin/inbox');
    const decision = decides(waiting, [{ id: idsOf(waiting)[0], approved: true }], false);
    await expect(own.sendMessage(decision)).rejects.toThrow();
    expect(bodiesOf()).toEqual([]);
  });

  it('is refused when the time for the decision is over', async () => {
    const { by, task } = await asking(first, 5);
    const id = decodeId('apr', idsOf(task)[0] ?? '') ?? '';
    await test.runtime.db.prisma.approval.update({ where: { id }, data: { expires_at: new Date(0) } });
    for (const late of [
      decides(task, [{ id: idsOf(task)[0], approved: true }], false),
      says(`approve ${String(idsOf(task)[0])}`, { taskId: task.id }),
    ])
      expect(['RequestMalformedError', 'UnsupportedOperationError']).toContain(await by.sendMessage(late).catch(named));
    await until(async () => (await by.getTask({ id: task.id, tenant: '' })).status?.state === COMPLETED);
    expect(bodiesOf()).toEqual([]);
  });

  it('can decide about tool calls of a called agent; that agent may then wait for decisions about further calls', async () => {
    const callee = await test.newAgent([PAY], [pay(5), pay(6)], [pay(7)]);
    const middle = await test.newCaller(callee);
    const by = await first(await test.newCaller(middle));
    const task = (await by.sendMessage(says('Pay.'))) as Task;
    expect([task.status?.state, questionOf(task).tools.map(({ args }) => args)]).toEqual([
      INPUT_REQUIRED,
      [{ euros: 5 }, { euros: 6 }],
    ]);
    const listed = await by.listTasks({ ...LIST, status: INPUT_REQUIRED, contextId: task.contextId });
    expect(listed.tasks.map(({ id, status }) => [id, status?.state])).toEqual([[task.id, INPUT_REQUIRED]]);
    const [paid, unpaid] = idsOf(task);
    const both = [
      { id: paid, approved: true },
      { id: unpaid, approved: false, rejection_reason: 'Too much.' },
    ];
    const next = (await by.sendMessage(decides(task, both, false))) as Task;
    expect([next.status?.state, questionOf(next).tools.map(({ args }) => args)]).toEqual([
      INPUT_REQUIRED,
      [{ euros: 7 }],
    ]);
    const [subscribed] = await all(by.resubscribeTask({ id: task.id, tenant: '' }));
    expect(subscribed?.payload).toMatchObject({ $case: 'task', value: { status: { state: INPUT_REQUIRED } } });
    const done = (await by.sendMessage(says(`approve ${String(idsOf(next)[0])}`, { taskId: task.id }))) as Task;
    expect([done.id, done.status?.state, bodiesOf()]).toEqual([task.id, COMPLETED, [{ euros: 5 }, { euros: 7 }]]);
    expect(answerOf(done)).toContain('Heard: Heard: Read:');
  });

  it('can decide about tool calls of a called agent: its first stream ends with the input request, the second stream with the answer', async () => {
    const by = await first(await test.newCaller(await test.newAgent([PAY], [pay(5)])));
    const asked = await all(by.sendMessageStream(says('Pay.')));
    const status = asked.at(-1)?.payload;
    if (status?.$case !== 'statusUpdate') throw new Error('the stream does not end with a state');
    const { taskId, contextId } = status.value;
    const task = await by.getTask({ id: taskId, tenant: '' });
    expect([status.value.status?.state, task.status?.state]).toEqual([INPUT_REQUIRED, INPUT_REQUIRED]);
    const { id: userId } = await test.runtime.newUser(`eve-${newId()}@example.com`);
    const { subject_name: slug } = await test.runtime.db.prisma.run.findUniqueOrThrow({
      where: { id: decodeId('task', taskId) ?? '' },
    });
    const eve = await connect(test.runtime.url, slug, await test.runtime.newToken({ userId }), ['1.0', 'JSONRPC']);
    const decision = decides({ ...task, contextId }, [{ id: idsOf(task)[0], approved: true }], false);
    expect(await eve.sendMessage(decision).catch(named)).toBe('TaskNotFoundError');
    const events = await all(by.sendMessageStream(decision));
    expect(events.at(-1)?.payload).toMatchObject({ value: { status: { state: COMPLETED } } });
    expect(bodiesOf()).toEqual([{ euros: 5 }]);
  });

  it('can decide about tool calls of a called agent: each input request is also sent as a push notification', async () => {
    const states: string[] = [];
    const receiver = await listen((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => (text += part));
      request.on('end', () => {
        // The first request to the receiver only checks the address, and has no body.
        if (text !== '') states.push((JSON.parse(text) as Pushed).statusUpdate.status.state);
        response.writeHead(200).end();
      });
    });
    const by = await first(await test.newCaller(await test.newAgent([PAY], [pay(5)], [pay(6)])));
    const taskPushNotificationConfig = { taskId: '', id: '', url: receiver.url, token: '' };
    const task = (await by.sendMessage(says('Pay.', { configuration: { taskPushNotificationConfig } }))) as Task;
    for (const euros of [5, 6]) {
      const asked = await by.getTask({ id: task.id, tenant: '' });
      expect(questionOf(asked).tools.map(({ args }) => args)).toEqual([{ euros }]);
      await by.sendMessage(decides(asked, [{ id: idsOf(asked)[0], approved: true }], false));
    }
    await until(() => Promise.resolve(states.length === 3));
    expect(states).toEqual(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_COMPLETED']);
    await receiver.close();
  });

  it('can be sent by a client that subscribes to the task, because the first event contains the input request', async () => {
    const { by, task } = await asking(first, 5);
    const [event] = await all(by.resubscribeTask({ id: task.id, tenant: '' }));
    expect(event?.payload).toMatchObject({ $case: 'task', value: { status: { state: INPUT_REQUIRED } } });
  });
});
