import { DPOP_CHALLENGE } from '@millwright/auth/dpop';
import { encodeId, newId } from '@millwright/db';
import { createFakeModel, createTestDatabase, listen, type FakeModel, type TestDatabase } from '@millwright/testing';
import { pngImage } from '@millwright/testing/images';
import { RUNTIME_URL, startRuntime, type Replica, type TestRuntime } from '../test-runtime.js';

const AGENT = '/api/v1/agents/scribe/a2a';
const METADATA = `resource_metadata="${RUNTIME_URL}/.well-known/oauth-protected-resource", scope="agents:message"`;
const aText = expect.any(String) as string;

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let token: string;

interface Rpc {
  jsonrpc: string;
  id: unknown;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: { reason: string; domain: string }[] };
}

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  token = await runtime.newToken();
  await runtime.newAgent({ name: 'Scribe' });
  await runtime.newAgent({ name: 'Asleep', status: 'inactive' });
  await runtime.newAgent({ name: 'Elsewhere', project: 'Commerce' });
  await runtime.newAgent({ name: 'Lost', model: 'gone' });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});
beforeEach(() => {
  model.requests.splice(0);
  model.answerWith('Good morning to you.');
});

const V1 = { 'a2a-version': '1.0' };
interface Options {
  by?: string;
  path?: string;
  headers?: Record<string, string>;
  replica?: Replica;
  method?: string;
}
const message = (fields: object = {}) => ({
  messageId: newId(),
  role: 'ROLE_USER',
  parts: [{ text: 'Hello' }],
  ...fields,
});
const send = (
  { by = token, path = AGENT, headers = V1, replica = runtime, method = 'POST' }: Options,
  body?: unknown,
) =>
  replica.as(by)(method, path, {
    headers,
    ...(typeof body === 'string' ? { body } : body !== undefined && { json: body }),
  });
const rpc = async (method: string, params: unknown, options: Options = {}) =>
  (await send(options, { jsonrpc: '2.0', id: 7, method, params })).body as Rpc;
const task = async (options: Options = {}, fields: object = {}) =>
  (await rpc('SendMessage', { message: message(fields) }, options)).result?.['task'] as Record<string, string>;
const rest = (path: string, options: Options = {}, body?: unknown) =>
  send({ method: body === undefined ? 'GET' : 'POST', ...options, path: `${AGENT}${path}` }, body);
const codeOf = (answer: Rpc) => [answer.error?.code, answer.error?.data?.[0]?.reason];

describe('an A2A endpoint', () => {
  it('answers 401 without a valid credential; the challenge names the metadata of the endpoint', async () => {
    for (const path of [AGENT, `${AGENT}/tasks`, '/api/v1/agents/nobody/a2a']) {
      const none = await runtime.as()('POST', path, { json: {} });
      expect([none.status, none.headers.get('www-authenticate')]).toEqual([
        401,
        `Bearer ${METADATA}, ${DPOP_CHALLENGE}`,
      ]);
      const wrong = await runtime.as('wrong')('POST', path, { json: {} });
      expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([
        401,
        `Bearer error="invalid_token", ${METADATA}, ${DPOP_CHALLENGE}`,
      ]);
      expect(wrong.headers.get('x-ratelimit-limit')).not.toBeNull();
    }
  });

  it('answers 403 without the scope agents:message and records the denial', async () => {
    const by = await runtime.newToken({ scopes: ['agents:read'] });
    const headers = { ...V1, 'x-request-id': 'no-scope' };
    const answer = await send({ by, headers }, { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'x' } });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      403,
      `Bearer error="insufficient_scope", ${METADATA}`,
    ]);
    expect(
      await runtime.db.prisma.governanceDecision.findFirst({ where: { request_id: { startsWith: 'no-scope~' } } }),
    ).toMatchObject({
      action: 'a2a.request',
      resource: AGENT,
      decision: 'deny',
      project: 'Core',
    });
  });

  it('answers 404 to every operation on an agent of another project', async () => {
    for (const path of ['', '/tasks', '/message:send']) {
      const method = path === '/tasks' ? 'GET' : 'POST';
      const [foreign, none] = await Promise.all(
        ['elsewhere', 'nobody'].map((agent) =>
          send({ method, path: `/api/v1/agents/${agent}/a2a${path}` }, method === 'POST' ? {} : undefined),
        ),
      );
      expect([foreign?.status, foreign?.text]).toEqual([404, none?.text]);
    }
  });

  it('answers 405 with the header Allow to a method that the path does not support, and 404 to an unknown path', async () => {
    const allowed = async (method: string, path: string) => {
      const answer = await send({ method, path });
      return [answer.status, answer.headers.get('allow')];
    };
    expect(await allowed('GET', AGENT)).toEqual([405, 'POST']);
    expect(await allowed('DELETE', `${AGENT}/tasks`)).toEqual([405, 'GET, HEAD']);
    expect(await allowed('GET', `${AGENT}/message:send`)).toEqual([405, 'POST']);
    for (const path of [
      '/',
      '/nothing',
      '/v1/tasks',
      '/v1/message:send',
      '/tenant/tasks',
      '/TASKS',
      '/tasks/',
      '/tasks/x/y',
    ])
      expect([path, (await send({ method: 'GET', path: `${AGENT}${path}` })).status]).toEqual([path, 404]);
    expect((await send({ path: '/api/v1/agents/%E0%A4%A/a2a' }, {})).status).toBe(404);
  });

  it('answers 503 without details while the database cannot be reached', async () => {
    const url = new URL(database.url);
    url.port = '1';
    const replica = await runtime.start({ databaseUrl: url.href });
    const answer = await send({ replica }, { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'x' } });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  });
});

describe('JSON-RPC', () => {
  it('answers an invalid request with a JSON-RPC error and status 200', async () => {
    const read = async (body: unknown, headers: Record<string, string> = {}) => {
      const answer = await send({ headers: { ...V1, 'content-type': 'application/json', ...headers } }, body);
      return [answer.status, (answer.body as Rpc).error?.code];
    };
    expect(await read('{"jsonrpc":')).toEqual([200, -32700]);
    expect(await read('"\xff"')).toEqual([200, -32600]);
    expect(await read('[]')).toEqual([200, -32600]);
    expect(await read('')).toEqual([200, -32600]);
    expect(await read('{"jsonrpc":"2.0","id":{},"method":"GetTask"}')).toEqual([200, -32600]);
    expect(await read('{"jsonrpc":"1.0","id":1,"method":"GetTask"}')).toEqual([200, -32600]);
    expect(await read('{"jsonrpc":"2.0","id":1,"method":"Nothing","params":{}}')).toEqual([200, -32601]);
    expect(await read('{"jsonrpc":"2.0","id":1,"method":"GetTask","params":[]}')).toEqual([200, -32602]);
    expect(await read('{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"__proto__":{}}}')).toEqual([
      200, -32602,
    ]);
    expect(await read('{}', { 'content-type': 'text/plain' })).toEqual([200, -32005]);
    expect(await read(`"${'x'.repeat(8 * 1_048_576)}"`)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(await read(`[${'0,'.repeat(600_000)}0]`)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('serves the versions 1.0 and 0.3, reads the version from a header or the query, and uses 0.3 when both are missing', async () => {
    const params = { id: 'task_none' };
    expect(codeOf(await rpc('GetTask', params, { headers: { 'a2a-version': '2.0' } }))).toEqual([
      -32009,
      'VERSION_NOT_SUPPORTED',
    ]);
    expect(codeOf(await rpc('GetTask', params))).toEqual([-32001, 'TASK_NOT_FOUND']);
    expect((await rpc('GetTask', params, { headers: {}, path: `${AGENT}?A2A-Version=1.0` })).error?.code).toBe(-32001);
    expect((await rpc('tasks/get', params, { headers: {} })).error?.code).toBe(-32001);
    expect((await rpc('GetTask', params, { headers: {} })).error?.code).toBe(-32601);
    expect((await rpc('tasks/get', params)).error?.code).toBe(-32601);
  });

  it.each<[string, object]>([
    ['tasks/get', {}],
    ['tasks/get', { id: 12345 }],
    ['tasks/get', { id: { name: 'task_none' } }],
    ['tasks/get', { id: 'task_none', historyLength: 'all' }],
    ['tasks/cancel', {}],
    ['tasks/cancel', { id: ['task_none'] }],
    ['tasks/resubscribe', { id: 1 }],
    ['tasks/pushNotificationConfig/get', { id: 1 }],
    ['tasks/pushNotificationConfig/get', { id: 'task_none', pushNotificationConfigId: 1 }],
    ['tasks/pushNotificationConfig/set', { taskId: 1, pushNotificationConfig: { url: 'https://x.test' } }],
    ['tasks/pushNotificationConfig/set', { taskId: 'task_none', pushNotificationConfig: 1 }],
    ['tasks/pushNotificationConfig/list', {}],
    ['tasks/pushNotificationConfig/delete', { id: 'task_none' }],
    ['message/send', {}],
    ['message/send', { message: 'Hello' }],
    ['message/send', { message: { messageId: 1, role: 'user', parts: [{ kind: 'text', text: 'Hello' }] } }],
    ['message/send', { message: { messageId: 'm', role: 'user', parts: 'Hello' } }],
    ['message/send', { message: { messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 1 }] } }],
    ['message/send', { message: { messageId: 'm', role: 'user', parts: [null] } }],
    ['message/send', { message: { messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'x' }], contextId: 1 } }],
    ['message/stream', { message: { messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'x' }], taskId: {} } }],
  ])('answers the error -32602 to the method %s of version 0.3 with the parameters %j', async (method, params) => {
    const answer = await rpc(method, params, { headers: {} });
    expect([answer.id, answer.error?.code]).toEqual([7, -32602]);
    expect(model.requests).toEqual([]);
  });

  it('answers an error to a request for the extended card, and to requests about push configurations of unknown tasks', async () => {
    for (const method of ['Create', 'Get', 'Delete'])
      expect(
        codeOf(await rpc(`${method}TaskPushNotificationConfig`, { taskId: 'x', id: 'y', url: 'https://x.test' })),
      ).toEqual([-32001, 'TASK_NOT_FOUND']);
    expect((await rpc('ListTaskPushNotificationConfigs', { taskId: 'x' })).error?.code).toBe(-32001);
    expect((await rpc('GetExtendedAgentCard', {})).error?.code).toBe(-32004);
    expect((await rpc('agent/getAuthenticatedExtendedCard', {}, { headers: {} })).error?.code).toBe(-32004);
  });

  it.each<[string, object | null, number, string]>([
    ['no message', null, -32602, 'message'],
    ['no message id', { messageId: undefined }, -32602, 'messageId'],
    ['a message whose role is that of an agent', { role: 'ROLE_AGENT' }, -32602, 'role'],
    ['a message without parts', { parts: [] }, -32602, 'parts'],
    ['null as a part', { parts: [null] }, -32602, 'parameters'],
    ['a part without content', { parts: [{}] }, -32602, 'parts[0]'],
    ['an empty text', { parts: [{ text: ' ' }, { text: '' }] }, -32602, 'parts'],
    ['a text that is too long', { parts: [{ text: 'x'.repeat(200_001) }] }, -32602, 'parts'],
    ['a NUL in the text', { parts: [{ text: 'a\0b' }] }, -32602, 'text'],
    ['a file', { parts: [{ raw: 'aGk=', mediaType: 'application/pdf' }] }, -32005, 'parts[0]'],
    [
      'bytes that are not an image, with the type of an image',
      { parts: [{ raw: 'aGk=', mediaType: 'image/png' }] },
      -32602,
      'parts[0]: must be a PNG',
    ],
    [
      'the address of an image',
      { parts: [{ url: 'https://example.com/a.png', mediaType: 'image/png' }] },
      -32005,
      'parts[0]: addresses of images are not fetched',
    ],
    [
      'an image for a model that reads no images',
      { parts: [{ raw: pngImage(2, 2).toString('base64'), mediaType: 'image/png' }] },
      -32005,
      "are not read by this agent's model house",
    ],
    [
      'too many images',
      { parts: Array.from({ length: 11 }, () => ({ raw: pngImage(2, 2).toString('base64') })) },
      -32602,
      '11 images',
    ],
    ['a text of another media type', { parts: [{ text: 'x', mediaType: 'application/pdf' }] }, -32005, 'parts[0]'],
    ['an unknown task', { taskId: 'task_none' }, -32001, 'Task'],
    ['an unknown context', { contextId: encodeId('ctx', newId()) }, -32602, 'contextId'],
    ['a context id that the client made up', { contextId: 'mine' }, -32602, 'contextId'],
  ])('refuses a request with %s and stores nothing', async (_what, fields, code, answered) => {
    const before = await runtime.db.prisma.contextMessage.count();
    const answer = await rpc('SendMessage', fields === null ? {} : { message: message(fields) });
    expect(answer).toMatchObject({
      jsonrpc: '2.0',
      error: { code, message: expect.stringContaining(answered) as string },
    });
    const streamed = await rpc('SendStreamingMessage', fields === null ? {} : { message: message(fields) });
    expect(streamed.error?.code).toBe(code);
    expect(await runtime.db.prisma.contextMessage.count()).toBe(before);
    expect(model.requests).toEqual([]);
  });

  it('refuses a message whose client accepts no output mode of agents; refuses invalid history lengths and invalid filters of tasks', async () => {
    const sent = (configuration: object) => rpc('SendMessage', { message: message(), configuration });
    expect(codeOf(await sent({ acceptedOutputModes: ['image/png'] }))).toEqual([-32005, 'CONTENT_TYPE_NOT_SUPPORTED']);
    expect((await sent({ acceptedOutputModes: ['image/png', 'text/plain'] })).error).toBeUndefined();
    expect((await sent({ historyLength: -1 })).error?.code).toBe(-32602);
    expect((await rpc('GetTask', { id: 'x', historyLength: 1.5 })).error?.code).toBe(-32602);
    for (const filter of [
      { pageSize: 0 },
      { pageSize: 101 },
      { pageToken: 'x' },
      { status: 'DONE' },
      { statusTimestampAfter: 'x' },
    ])
      expect([filter, (await rpc('ListTasks', filter)).error?.code]).toEqual([filter, -32602]);
  });

  it('is served for the built-in concierge too', async () => {
    const path = '/api/v1/agents/concierge/a2a';
    const { id, contextId } = await task({ path });
    expect((await rpc('GetTask', { id }, { path })).result).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
    });
    expect((await task({ path }, { contextId }))['contextId']).toBe(contextId);
  });

  it('answers an error to a message for an inactive agent', async () => {
    const path = '/api/v1/agents/asleep/a2a';
    expect(codeOf(await rpc('SendMessage', { message: message() }, { path }))).toEqual([
      -32004,
      'UNSUPPORTED_OPERATION',
    ]);
    expect((await rpc('ListTasks', {}, { path })).result).toMatchObject({ tasks: [], totalSize: 0 });
  });

  it('answers 404 when the path has a name that no agent can have', async () => {
    for (const name of ['%00', 'scribe%00']) {
      const path = `/api/v1/agents/${name}/a2a`;
      expect((await send({ path }, { jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} })).status).toBe(404);
      expect((await send({ path: `${path}/tasks`, method: 'GET' })).status).toBe(404);
    }
  });

  it("answers an error when the agent's model is unknown", async () => {
    const answer = await rpc('SendMessage', { message: message() }, { path: '/api/v1/agents/lost/a2a' });
    expect(answer.error).toMatchObject({ code: -32602, message: expect.stringContaining('model') as string });
  });

  it('streams each event immediately, as a JSON-RPC response', async () => {
    const response = await fetch(`${runtime.url}${AGENT}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...V1 },
      body: JSON.stringify({ jsonrpc: '2.0', id: 'a', method: 'SendStreamingMessage', params: { message: message() } }),
    });
    const headers = ['content-type', 'x-accel-buffering', 'cache-control'].map((name) => response.headers.get(name));
    expect(headers).toEqual(['text/event-stream; charset=utf-8', 'no', 'no-store']);
    const events = (await response.text())
      .trim()
      .split('\n\n')
      .map((event) => JSON.parse(event.replace('data: ', '')) as Rpc);
    expect(events.map(({ jsonrpc, id }) => [jsonrpc, id])).toEqual(events.map(() => ['2.0', 'a']));
    expect(events[0]?.result).toHaveProperty('task');
    expect(events.at(-1)?.result).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
  });
});

describe('HTTP+JSON', () => {
  it('accepts and returns application/a2a+json and application/json', async () => {
    for (const type of ['application/a2a+json', 'application/json']) {
      const headers = { ...V1, 'content-type': type };
      const sent = await rest('/message:send', { headers }, JSON.stringify({ message: message() }));
      expect([sent.status, sent.headers.get('content-type')?.split(';')[0]]).toEqual([200, 'application/a2a+json']);
      expect(sent.body).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
    }
  });

  it("answers errors in the protocol's form, each with its HTTP status", async () => {
    const errorOf = async (path: string, options: Options = {}, body?: unknown) => {
      const answer = await rest(path, options, body);
      const { error } = answer.body as { error: { code: number; status: string; details: { reason: string }[] } };
      return [answer.status, error.code, error.status, error.details[0]?.reason];
    };
    const done = await task();
    expect(await errorOf('/tasks/task_none')).toEqual([404, 404, 'NOT_FOUND', 'TASK_NOT_FOUND']);
    expect(await errorOf(`/tasks/${done['id']}:cancel`, {}, {})).toEqual([
      400,
      400,
      'FAILED_PRECONDITION',
      'TASK_NOT_CANCELABLE',
    ]);
    expect(await errorOf(`/tasks/${done['id']}:subscribe`)).toEqual([
      400,
      400,
      'FAILED_PRECONDITION',
      'UNSUPPORTED_OPERATION',
    ]);
    expect(await errorOf('/message:send', {}, { message: message({ parts: [] }) })).toEqual([
      400,
      400,
      'INVALID_ARGUMENT',
      'INVALID_PARAMS',
    ]);
    expect(await errorOf('/message:send', {}, { message: message({ parts: [null] }) })).toEqual([
      400,
      400,
      'INVALID_ARGUMENT',
      'INVALID_PARAMS',
    ]);
    expect(await errorOf('/message:send', { headers: { ...V1, 'content-type': 'application/json' } }, '{')).toEqual([
      400,
      400,
      'INVALID_ARGUMENT',
      'INVALID_PARAMS',
    ]);
    expect(await errorOf('/message:send', { headers: { ...V1, 'content-type': 'text/plain' } }, 'x')).toEqual([
      400,
      400,
      'INVALID_ARGUMENT',
      'CONTENT_TYPE_NOT_SUPPORTED',
    ]);
    expect(await errorOf('/tasks', { headers: { 'a2a-version': '2.0' } })).toEqual([
      400,
      400,
      'FAILED_PRECONDITION',
      'VERSION_NOT_SUPPORTED',
    ]);
    expect(await errorOf('/extendedAgentCard')).toEqual([400, 400, 'FAILED_PRECONDITION', 'UNSUPPORTED_OPERATION']);
    expect(await errorOf('/tasks/x/pushNotificationConfigs')).toEqual([404, 404, 'NOT_FOUND', 'TASK_NOT_FOUND']);
    expect(await errorOf('/tasks?pageSize=x')).toEqual([400, 400, 'INVALID_ARGUMENT', 'INVALID_PARAMS']);
  });

  it('lists the tasks that match a filter, without artifacts and history unless the query requests them', async () => {
    const [first, other] = [await task(), await task()];
    const listed = async (query: string) =>
      (await rest(`/tasks?${query}`)).body as { tasks: Record<string, unknown>[] };
    const { tasks } = await listed(`contextId=${first['contextId']}`);
    expect(tasks).toEqual([{ id: first['id'], contextId: first['contextId'], status: first['status'] }]);
    expect((await listed(`contextId=${other['contextId']}&includeArtifacts=true&historyLength=5`)).tasks).toEqual([
      other,
    ]);
    expect((await listed('status=TASK_STATE_FAILED')).tasks).toEqual([]);
    expect((await listed('status=TASK_STATE_REJECTED')).tasks).toEqual([]);
    expect((await listed('contextId=mine')).tasks).toEqual([]);
    const since = encodeURIComponent((other['status'] as unknown as { timestamp: string }).timestamp);
    expect((await listed(`statusTimestampAfter=${since}`)).tasks.map(({ id }) => id)).toContain(other['id']);
    expect((await listed(`statusTimestampAfter=${since}`)).tasks.map(({ id }) => id)).not.toContain(first['id']);
  });
});

describe('a task', () => {
  it('cannot be read, canceled or continued by another user, or at the endpoint of another agent', async () => {
    const { id: userId } = await runtime.newUser('bob@example.com');
    const bob = await runtime.newToken({ userId });
    const own = await task();
    await runtime.newAgent({ name: 'Second' });
    for (const options of [{ by: bob }, { path: '/api/v1/agents/second/a2a' }]) {
      const none = await rpc('GetTask', { id: encodeId('task', newId()) }, options);
      expect(await rpc('GetTask', { id: own['id'] }, options)).toEqual(none);
      expect((await rpc('CancelTask', { id: own['id'] }, options)).error?.code).toBe(-32001);
      expect((await rpc('SubscribeToTask', { id: own['id'] }, options)).error?.code).toBe(-32001);
      expect((await rpc('ListTasks', {}, options)).result).toMatchObject({ tasks: [], totalSize: 0 });
      expect(
        (await rpc('SendMessage', { message: message({ contextId: own['contextId'] }) }, options)).error?.code,
      ).toBe(-32602);
      expect((await rpc('SendMessage', { message: message({ taskId: own['id'] }) }, options)).error?.code).toBe(-32001);
    }
  });

  it('cannot be read after its conversation was deleted, nor after its agent was deleted, even when a new agent has the same slug', async () => {
    const path = '/api/v1/agents/brief/a2a';
    const known = async (id: string | undefined) => [
      (await rpc('GetTask', { id }, { path })).error?.code,
      (await rpc('CancelTask', { id }, { path })).error?.code,
      (await rpc('SubscribeToTask', { id }, { path })).error?.code,
      (await rpc('ListTasks', {}, { path })).result?.['totalSize'],
    ];
    const first = await runtime.newAgent({ name: 'Brief' });
    const old = await task({ path });
    expect((await rpc('ListTasks', {}, { path })).result).toMatchObject({ totalSize: 1 });
    await runtime.db.prisma.agent.delete({ where: { id: first.id } });
    await runtime.newAgent({ name: 'Brief' });
    expect(await known(old['id'])).toEqual([-32001, -32001, -32001, 0]);

    const own = await task({ path });
    expect((await rpc('GetTask', { id: own['id'] }, { path })).error).toBeUndefined();
    await runtime.as(token)('DELETE', `/api/v1/agents/brief/contexts/${own['contextId']}`);
    expect(await known(own['id'])).toEqual([-32001, -32001, -32001, 0]);
  });

  it('shares its context with messages of the REST API, and gets the same audit row and usage event as such a message', async () => {
    const headers = { ...V1, 'x-request-id': 'a2a-audit' };
    const { contextId } = await task({ headers });
    const answer = await runtime.as(token)('POST', '/api/v1/agents/scribe/messages', {
      json: { content: 'And?', context_id: contextId },
    });
    expect(answer.status).toBe(200);
    expect(
      model.requests
        .at(-1)
        ?.body.messages.map(({ content }) => content)
        .slice(-3),
    ).toEqual(['Hello', 'Good morning to you.', 'And?']);
    const { prisma } = runtime.db;
    expect(
      await prisma.governanceDecision.findFirst({ where: { request_id: { startsWith: 'a2a-audit~' } } }),
    ).toMatchObject({
      action: 'agent.message',
      resource: contextId,
      user_id: runtime.owner.id,
      decision: 'allow',
    });
    const agent = await prisma.agent.findUniqueOrThrow({ where: { slug: 'scribe' } });
    const newest = await prisma.usageEvent.findFirst({ where: { subject_id: agent.id }, orderBy: { at: 'desc' } });
    expect(newest).toMatchObject({ kind: 'agent_message', user_id: runtime.owner.id, model: 'house' });
  });

  it('is executed to its end even when its client disconnects', async () => {
    let answer: (text: string) => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      model.answerWith(async () => {
        resolve();
        return new Promise<string>((done) => (answer = done));
      });
    });
    const leaving = new AbortController();
    const left = fetch(`${runtime.url}${AGENT}/message:send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...V1 },
      body: JSON.stringify({ message: message({ parts: [{ text: 'Later' }] }) }),
      signal: leaving.signal,
    }).catch(() => 'left');
    await asked;
    leaving.abort();
    expect(await left).toBe('left');
    const { tasks } = (await rest('/tasks?status=TASK_STATE_WORKING')).body as { tasks: { id: string }[] };
    expect(tasks).toHaveLength(1);
    const events = fetch(`${runtime.url}${AGENT}/tasks/${tasks[0]?.id}:subscribe`, {
      headers: { authorization: `Bearer ${token}`, ...V1 },
    });
    const followed = (await events).text();
    answer('Here it is.');
    expect(await followed).toContain('Here it is.');
  });

  it('fails with a general text, without the text of the error, when the model cannot be reached', async () => {
    model.answerWith({ status: 400, body: { error: { message: 'the secret of the model' } } });
    const failed = await task();
    expect(failed).toMatchObject({
      status: {
        state: 'TASK_STATE_FAILED',
        message: { role: 'ROLE_AGENT', parts: [{ text: 'The model could not be reached.' }] },
      },
    });
    expect(failed).not.toHaveProperty('artifacts');
    expect(JSON.stringify(failed)).not.toContain('secret');
  });

  it('contains only the text of the last step, although the text of earlier steps was streamed', async () => {
    const upstream = await listen((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    );
    await runtime.newAgent({ name: 'Working' });
    await runtime.newPlugin({ name: 'weather', type: 'tool', config: { url: upstream.url }, agent: 'working' });
    const call = { id: 'call_a', type: 'function' as const, function: { name: 'weather', arguments: '{}' } };
    model.answerWith(() =>
      model.requests.length === 1
        ? { content: 'Let me look at it.', toolCalls: [call], trickleMs: 20 }
        : { content: 'It is clear.', trickleMs: 20 },
    );
    const response = await send({ path: '/api/v1/agents/working/a2a/message:stream' }, { message: message() });
    const events = response.text
      .trim()
      .split('\n\n')
      .map(
        (event) =>
          JSON.parse(event.replace('data: ', '')) as {
            artifactUpdate?: { append?: boolean; artifact: { parts: { text: string }[] } };
          },
      );
    const updates = events.flatMap(({ artifactUpdate }) => artifactUpdate ?? []);
    const text = updates.reduce(
      (said, { append, artifact: { parts } }) => (append ? said : '') + (parts[0]?.text ?? ''),
      '',
    );
    expect(text).toBe('It is clear.');
    expect(updates.filter(({ append }) => !append).length).toBeGreaterThan(1);
    await upstream.close();
  });
});

describe('messages by A2A', () => {
  it("count against the REST API's limit of 60 messages a minute, which two processes share; other operations do not count", async () => {
    const at = Date.UTC(2026, 0, 1, 12, 0, 30);
    const replica = await runtime.start({ multiplier: 1, now: () => at });
    const by = await runtime.newToken();
    const ask = () => rest('/message:send', { by, replica }, { message: message({ parts: [] }) });
    const first = await ask();
    expect([first.status, first.headers.get('x-ratelimit-limit'), first.headers.get('x-ratelimit-remaining')]).toEqual([
      400,
      '60',
      '59',
    ]);
    const other = await rest('/tasks', { by, replica });
    expect([other.status, other.headers.get('x-ratelimit-limit'), other.headers.get('x-ratelimit-remaining')]).toEqual([
      200,
      '1000',
      '998',
    ]);
    await replica.as(by)('POST', '/api/v1/agents/scribe/messages', { json: {} });
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const call = { jsonrpc: '2.0', id: n, method: n % 2 ? 'SendMessage' : 'SendStreamingMessage', params: {} };
        return (n % 3 ? await ask() : await send({ by, replica }, call)).status;
      }),
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    const over = await send({ by, replica }, { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: {} });
    expect([over.status, over.headers.get('retry-after'), over.body]).toEqual([
      429,
      aText,
      { error: { code: 'RATE_LIMITED', message: aText, details: { field: '', reason: aText } } },
    ]);
    expect((await rpc('ListTasks', {}, { by, replica })).result).toBeDefined();
  });
});
