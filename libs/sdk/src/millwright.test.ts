import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  Millwright,
  MillwrightError,
  PermissionError,
  RateLimitError,
  StreamInterruptedError,
  UnexpectedAnswerError,
  ValidationError,
} from './index.js';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

let server: Server;
let baseUrl: string;
let answers: Answer[];
let received: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      answer?.(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  answers = [];
  received = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': 'req-7', ...headers })
      .end(JSON.stringify(body));
const cut: Answer = (response) => response.destroy();
const stream =
  (text: string, broken = false): Answer =>
  (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(text, () => (broken ? response.destroy() : response.end()));
  };
const client = (options = {}) => new Millwright({ apiKey: 'mw_live_test', baseUrl, ...options });
const failure = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('It succeeded');
};

describe('new Millwright', () => {
  it.each([
    [{ apiKey: '' }, 'apiKey is missing'],
    [{ baseUrl: '' }, 'baseUrl is missing'],
    [{ baseUrl: 'agents.example.com' }, 'baseUrl is not an address: agents.example.com'],
    [{ runtimeUrl: 'ftp://agents.example.com' }, 'runtimeUrl is not an address'],
  ])('throws an error that names the missing or invalid option: %j', (options, text) => {
    expect(() => client(options)).toThrow(text);
    expect(() => client(options)).toThrow(MillwrightError);
  });

  it('makes a client that throws an error, and sends no request, for an id that would change the path of the request', async () => {
    expect(await failure((async () => client().skills.get('..'))())).toMatchObject({
      message: 'skill_id is not an id: "..".',
    });
    expect(received).toEqual([]);
  });
});

describe('a call that fails', () => {
  it.each([
    [
      401,
      AuthenticationError,
      { error: { code: 'unauthorized', message: 'No.', status: 401 } },
      'unauthorized',
      undefined,
    ],
    [403, PermissionError, { error: { code: 'forbidden', message: 'No.', status: 403 } }, 'forbidden', undefined],
    [
      400,
      ValidationError,
      { error: { code: 'VALIDATION_ERROR', message: 'No.', details: { field: 'content', reason: 'is required' } } },
      'validation_error',
      'content',
    ],
    [
      400,
      ValidationError,
      { error: { code: 'validation_error', message: 'No.', status: 400, type: 'x', param: 'model' }, message: 'No.' },
      'validation_error',
      'model',
    ],
  ])(
    'throws an error of the class for the status, with the code, field and request id of the answer: %i %p',
    async (status, type, body, code, field) => {
      answers = [json(status, body)];
      const error = await failure(client().skills.get('sk_1'));
      expect(error).toBeInstanceOf(type);
      expect(error).toMatchObject({ status, code, field, requestId: 'req-7', message: 'No.' });
    },
  );

  it("throws an error with the address of the error's documentation page, if the answer contains the address", async () => {
    const body = { error: { code: 'conflict', message: 'No.', status: 409 } };
    const page = 'https://example.com/docs/errors/conflict';
    answers = [json(409, body, { link: `</openapi.json>; rel="service-desc", <${page}>; rel="help"` })];
    expect(await failure(client().skills.get('sk_1'))).toMatchObject({ docUrl: page });
    answers = [json(409, body)];
    expect(await failure(client().skills.get('sk_1'))).toMatchObject({ docUrl: undefined });
  });

  it('throws an error that names the wrong option when the answer is a web page, even if its status is 200', async () => {
    const page: Answer = (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>');
    answers = [page];
    const error = await failure(client().runs.get('run_1'));
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error).toMatchObject({ message: expect.stringContaining('runtimeUrl has to be the address') as string });
  });

  it('throws an error that names the service and its address when the service cannot be reached', async () => {
    const error = await failure(client({ baseUrl: 'http://127.0.0.1:1', maxRetries: 0 }).skills.get('sk_1'));
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toContain('The platform API at http://127.0.0.1:1 cannot be reached');
  });
});

describe('a repeated request', () => {
  it('has the same idempotency key, so that a POST has its effect only once', async () => {
    answers = [cut, json(201, { id: 'sk_1' })];
    await expect(client().skills.create({ name: 'a', description: 'b', instructions: 'c' })).resolves.toEqual({
      id: 'sk_1',
    });
    const keys = received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  it('is not sent when it has no idempotency key and the first request may have had an effect', async () => {
    answers = [cut];
    expect(await failure(client().skills.update('sk_1', { name: 'b' }))).toBeInstanceOf(ConnectionError);
    expect(received).toHaveLength(1);
  });

  it('is sent after the time in Retry-After, even without an idempotency key, because the service did not read the refused request', async () => {
    answers = [json(429, {}, { 'Retry-After': '0' }), json(200, { id: 'sk_1' })];
    await expect(client().skills.update('sk_1', { name: 'b' })).resolves.toEqual({ id: 'sk_1' });
  });

  it("is not sent when Retry-After is a date more than a minute after the answer's Date; the caller gets the error", async () => {
    const headers = { Date: 'Mon, 02 Mar 2020 09:00:00 GMT', 'Retry-After': 'Mon, 02 Mar 2020 09:05:00 GMT' };
    answers = [json(429, { error: { code: 'rate_limited', message: 'Later.' } }, headers)];
    const error = await failure(client().skills.get('sk_1'));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retryAfter: 300 });
    expect(received).toHaveLength(1);
  });

  it("is not sent after the caller's signal aborted; the caller gets the reason of the abort", async () => {
    const abort = new AbortController();
    answers = [
      (response) => {
        abort.abort(new Error('enough'));
        response.destroy();
      },
    ];
    expect(await failure(client().skills.get('sk_1', { signal: abort.signal }))).toMatchObject({ message: 'enough' });
  });
});

describe('a list', () => {
  it('is read by the number of the page until all records are read', async () => {
    answers = [
      json(200, { items: [{ id: 'a' }, { id: 'b' }], total: 3, page: 1, per_page: 2 }),
      json(200, { items: [{ id: 'c' }], total: 3, page: 2, per_page: 2 }),
    ];
    const found = await client().skills.list({ per_page: 2, search: 'mill' }).all();
    expect(found.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(received.map(({ url }) => url)).toEqual([
      '/api/v1/skills?per_page=2&search=mill',
      '/api/v1/skills?per_page=2&search=mill&page=2',
    ]);
  });

  it('is read by cursor, by offset, or, when its pages are arrays, by the number of the page until a page is empty', async () => {
    answers = [
      json(200, { items: [{ id: 'a' }], next_cursor: 'x' }),
      json(200, { items: [{ id: 'b' }], next_cursor: null }),
    ];
    expect(await client().runs.list().all()).toHaveLength(2);
    answers = [
      json(200, { items: [{}, {}], total: 3, limit: 2, offset: 0 }),
      json(200, { items: [{}], total: 3, limit: 2, offset: 2 }),
    ];
    expect(await client().users.list().all()).toHaveLength(3);
    answers = [json(200, [{}, {}]), json(200, [])];
    expect(await client().prompts.list().all()).toHaveLength(2);
    expect(received.map(({ url }) => url)).toEqual([
      '/api/v1/runs',
      '/api/v1/runs?cursor=x',
      '/api/v1/users',
      '/api/v1/users?offset=2',
      '/v1/prompt',
      '/v1/prompt?page=2',
    ]);
  });
});

describe('a stream', () => {
  const delta = (id: number) => `id: ${id}\nevent: message.delta\ndata: {"delta":"${id}","step":1}\n\n`;
  const end = 'id: 9\nevent: run.completed\ndata: {}\n\n';

  it('that a proxy cuts off is resumed after the last complete event, without duplicate events', async () => {
    answers = [stream(`: hello\n\n${delta(1)}${delta(2)}id: 3\nevent: mess`, true), stream(delta(3)), stream(end)];
    const events = [];
    for await (const { event, id } of client().runs.follow('run_1')) events.push(`${event} ${id}`);
    expect(events).toEqual(['message.delta 1', 'message.delta 2', 'message.delta 3', 'run.completed 9']);
    expect(received.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '2', '3']);
  });

  it('that cannot be resumed ends with a StreamInterruptedError', async () => {
    answers = [stream('event: message.delta\ndata: {"delta":"Hel","step":1}\n\n', true)];
    const read = async () => {
      for await (const event of client().agents.sendMessageStream('guide', { content: 'Hello' }))
        expect(event.event).toBe('message.delta');
    };
    expect(await failure(read())).toBeInstanceOf(StreamInterruptedError);
    expect(received).toHaveLength(1);
  });

  it('throws the error that the service sends in the stream', async () => {
    answers = [stream('event: error\ndata: {"error":{"code":"MODEL_ERROR","message":"It fails."}}\n\n')];
    const read = async () => {
      for await (const event of client().agents.sendMessageStream('guide', { content: 'Hello' }))
        expect(event).toBeUndefined();
    };
    const error = await failure(read());
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'model_error', message: 'It fails.' });
  });
});

describe('an upload', () => {
  it('is sent as a multipart form whose last field is the file', async () => {
    answers = [json(201, { id: 'file_1' })];
    await client().files.upload(new Blob(['grain']), { path: 'notes/a.txt' });
    const [sent] = received;
    const body = sent?.body ?? '';
    expect(sent?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(body.indexOf('name="path"')).toBeLessThan(body.indexOf('name="file"'));
  });
});
