import { gzipSync } from 'node:zlib';
import {
  createHttpClient,
  createTestDatabase,
  listen,
  type ClientAnswer,
  type HttpClient,
  type ListeningApp,
  type TestDatabase,
} from '@millwright/testing';
import { createNotesArea, openNotes } from './test-notes-area.js';

let database: TestDatabase;
let notes: Awaited<ReturnType<typeof openNotes>>;
let app: ListeningApp;
let client: HttpClient;

beforeAll(async () => {
  database = await createTestDatabase();
  notes = await openNotes(database.url);
  app = await listen(createNotesArea({ db: notes.db }));
  client = createHttpClient(app.url, { authorization: `Bearer ${await notes.issueKey('*')}` });
});

afterAll(async () => {
  await app.close();
  await notes.db.close();
  await database.drop();
});

const JSON_TYPE = { 'content-type': 'application/json' };
const post = (body: RequestInit['body'], headers: Record<string, string> = JSON_TYPE) =>
  client('POST', '/notes', { body, headers });
const postJson = (json: unknown) => client('POST', '/notes', { json });
const errorOf = (answer: ClientAnswer) =>
  (answer.body as { error: { code: string; message: string; status: number } }).error;
const rows = async () =>
  Number((await notes.db.prisma.$queryRaw<[{ n: bigint }]>`SELECT count(*) AS n FROM notes`)[0].n);
const nested = (depth: number) => `{"text":"deep","tone":"warm","tags":${'['.repeat(depth)}${']'.repeat(depth)}}`;

describe('a request body', () => {
  it.each<[string, RequestInit['body'], Record<string, string>, number]>([
    ['not JSON', '{"text":', JSON_TYPE, 400],
    ['an array', '[]', JSON_TYPE, 400],
    ['a text', '"text"', JSON_TYPE, 400],
    ['null', 'null', JSON_TYPE, 400],
    ['empty', '', JSON_TYPE, 400],
    ['only spaces', '  ', JSON_TYPE, 400],
    ['absent, without a Content-Type', null, {}, 400],
    ['empty after decompression', gzipSync(''), { ...JSON_TYPE, 'content-encoding': 'gzip' }, 400],
    ['not in its declared encoding', 'plain', { ...JSON_TYPE, 'content-encoding': 'gzip' }, 400],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), JSON_TYPE, 400],
    ['without a Content-Type', Buffer.from('{}'), {}, 415],
    ['a form', 'text=a', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['JSON with the type text/plain', '{}', { 'content-type': 'text/plain' }, 415],
    ['in an unknown encoding', '{}', { ...JSON_TYPE, 'content-encoding': 'x-own' }, 415],
    ['in another character set', '{}', { 'content-type': 'application/json; charset=iso-8859-1' }, 415],
    ['over 1 MiB', JSON.stringify({ text: 'x'.repeat(1_048_576), tone: 'warm' }), JSON_TYPE, 413],
    ['nested 65 levels deep', nested(64), JSON_TYPE, 413],
    ['nested half a million levels deep', `{"tags":${'['.repeat(500_000)}${']'.repeat(500_000)}}`, JSON_TYPE, 413],
  ])('that is %s is refused', async (_what, body, headers, status) => {
    const before = await rows();
    const answer = await post(body, headers);
    expect([answer.status, errorOf(answer).status]).toEqual([status, status]);
    expect(await rows()).toBe(before);
  });

  it('that is sent in chunks without any bytes is refused as empty', async () => {
    const response = await fetch(`${app.url}/notes`, {
      method: 'POST',
      headers: { ...JSON_TYPE, authorization: `Bearer ${await notes.issueKey('*')}` },
      body: new ReadableStream({ start: (controller) => controller.close() }),
      duplex: 'half',
    });
    expect(response.status).toBe(400);
  });

  it('that decompresses to far more than 1 MiB is refused', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1_048_576, ' '));
    expect((await post(bomb, { ...JSON_TYPE, 'content-encoding': 'gzip' })).status).toBe(413);
  });

  it.each([2, 20])('of %i MiB is refused, and the client receives the answer', async (size) => {
    const answer = await post(Buffer.alloc(size * 1_048_576, 'x'));
    expect(answer.status).toBe(413);
    const anonymous = await createHttpClient(app.url)('POST', '/notes', {
      body: Buffer.alloc(size * 1_048_576),
      headers: JSON_TYPE,
    });
    expect(anonymous.status).toBe(401);
  });

  it('is accepted as application/json or application/*+json, compressed or not, with up to 64 levels and 1 MiB', async () => {
    const note = JSON.stringify({ text: 'a', tone: 'warm' });
    expect((await post(note, { 'content-type': 'application/merge-patch+json; charset=UTF-8' })).status).toBe(201);
    expect((await post(gzipSync(note), { ...JSON_TYPE, 'content-encoding': 'gzip' })).status).toBe(201);
    const large = JSON.stringify({ text: 'x'.repeat(1_048_576 - 25), tone: 'warm' });
    expect(Buffer.byteLength(large)).toBe(1_048_576);
    expect((await post(large)).status).toBe(201);
    expect(errorOf(await post(nested(62))).message).toContain('tags.0: must be a string');
  });

  it.each(['__proto__', 'constructor', 'prototype'])(
    'with a field that is named %s is refused, at any depth',
    async (name) => {
      for (const body of [`{"${name}":{"tone":"warm"},"text":"a"}`, `{"text":"a","settings":{"${name}":1}}`]) {
        const answer = await post(body);
        expect([answer.status, errorOf(answer).message]).toEqual([
          422,
          expect.stringContaining(`${name}: is not allowed as a name`),
        ]);
      }
    },
  );

  it.each([
    ['NUL', 'a\\u0000b'],
    ['a high half of a surrogate pair', '\\ud800'],
    ['a low half of a surrogate pair', '\\udc00 x'],
  ])('with %s in a value or a name is refused, and the error names the field', async (_what, text) => {
    const value = await post(`{"text":"${text}","tone":"warm"}`);
    expect([value.status, errorOf(value).message]).toEqual([
      422,
      expect.stringContaining('text: must be well-formed text'),
    ]);
    const name = await post(`{"settings":{"${text}":1}}`);
    expect([name.status, errorOf(name).message]).toEqual([
      422,
      expect.stringContaining('settings: must be well-formed text'),
    ]);
  });

  it('may contain characters outside the Basic Multilingual Plane', async () => {
    expect((await postJson({ text: 'mill 🏭', tone: 'warm' })).body).toMatchObject({ text: 'mill 🏭' });
  });
});

describe('the body of a request to an endpoint for large bodies', () => {
  const MIB = 1_048_576;
  const noteOf = (bytes: number) => `{"tone":"warm","text":"${'x'.repeat(bytes - 25)}"}`;
  const attach = (body: RequestInit['body'], headers: Record<string, string> = JSON_TYPE) =>
    client('POST', '/notes/attachments', { body, headers });

  it.each([25, MIB, MIB + 1, 8 * MIB])('is accepted with %i bytes', async (bytes) => {
    const answer = await attach(bytes === 25 ? '{"tone":"warm","text":"x"}' : noteOf(bytes));
    expect([answer.status, answer.body]).toEqual([200, { length: bytes === 25 ? 1 : bytes - 25 }]);
  });

  it.each([26, MIB + 26])('is accepted with a byte order mark and %i bytes', async (bytes) => {
    expect((await attach(`\ufeff${noteOf(bytes)}`)).status).toBe(200);
  });

  const values = (count: number) => `{"tags":[${'1,'.repeat(count)}1],"text":"${'x'.repeat(MIB)}","tone":"warm"}`;
  it.each<[string, RequestInit['body'], Record<string, string>, number]>([
    ['over 8 MiB', noteOf(8 * MIB + 1), JSON_TYPE, 413],
    [
      'compressed, and over 1 MiB after decompression',
      gzipSync(noteOf(MIB + 1)),
      { ...JSON_TYPE, 'content-encoding': 'gzip' },
      413,
    ],
    ['of 300,000 values', values(300_000), JSON_TYPE, 413],
    ['of 150,000 values of a wrong type', values(150_000), JSON_TYPE, 422],
    ['over 1 MiB and not JSON', 'x'.repeat(MIB + 1), JSON_TYPE, 400],
    ['over 1 MiB and a list', `["${'x'.repeat(MIB)}"]`, JSON_TYPE, 400],
    ['over 1 MiB and not UTF-8', Buffer.concat([Buffer.from(noteOf(MIB + 1)), Buffer.from([0xff])]), JSON_TYPE, 400],
    [
      'over 1 MiB in another character set',
      noteOf(MIB + 1),
      { 'content-type': 'application/json; charset=iso-8859-1' },
      415,
    ],
  ])('is refused when it is %s', async (_what, body, headers, status) => {
    expect((await attach(body, headers)).status).toBe(status);
  });

  it('is refused when it is larger than 1 MiB and its size is not announced', async () => {
    const response = await fetch(`${app.url}/notes/attachments`, {
      method: 'POST',
      headers: { ...JSON_TYPE, authorization: `Bearer ${await notes.issueKey('*')}` },
      body: new Blob([noteOf(MIB + 1)]).stream(),
      duplex: 'half',
    });
    expect(response.status).toBe(413);
  });
});

describe('the fields of a body', () => {
  it('are all named in the error when they are invalid, each with the expected value', async () => {
    const answer = await postJson({ tone: 'loud', tags: ['a', 1], settings: { size: 9, code: '!' }, colour: 'red' });
    expect(answer.status).toBe(422);
    expect(errorOf(answer).code).toBe('validation_error');
    for (const fault of [
      'text: is required',
      'tone: must be one of warm, cold',
      'tags.1: must be a string',
      'settings.size: must be at most 3',
      'settings.code: must match /^[a-z]+$/',
      'colour: is an unknown field',
    ]) {
      expect(errorOf(answer).message).toContain(fault);
    }
  });

  it('are named in the error when they are missing, even when they have an enum', async () => {
    expect(errorOf(await postJson({})).message).toBe(
      'The request has invalid values: text: is required; tone: is required.',
    );
  });

  it.each([
    [{ text: '', tone: 'warm' }, 'text: must not be empty'],
    [{ text: 'a', tone: 'warm', settings: { size: 0 } }, 'settings.size: must be at least 1'],
    [{ text: 'a', tone: 'warm', settings: { size: 1.5 } }, 'settings.size: must be a whole number'],
    [{ text: 'a', tone: 'warm', settings: { depth: 1 } }, 'settings.depth: is an unknown field'],
    [{ text: 'a', tone: 'warm', settings: [] }, 'settings: must be an object'],
    [{ text: null, tone: 'warm' }, 'text: must be a string'],
  ])('are refused when the body is %j, with the error: %s', async (body, fault) => {
    expect(errorOf(await postJson(body)).message).toContain(fault);
  });

  it('are ignored when only the server can set them', async () => {
    const owned = { id: '99', created_at: 'x', updated_at: 1, author: {}, owner: null, project: 'Commerce' };
    const answer = await postJson({ text: 'a', tone: 'warm', ...owned });
    expect(answer.status).toBe(201);
    expect((answer.body as { id: string }).id).not.toBe('99');
  });

  it('that are invalid lead to an answer of less than 2,000 characters, however many they are', async () => {
    const many = await postJson({ text: 'a', tone: 'warm', tags: Array.from({ length: 200_000 }, () => 1) });
    expect([many.status, many.text.length < 2_000]).toEqual([422, true]);
    const unknown = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`field${n}`, n]));
    expect((await postJson(unknown)).text.length).toBeLessThan(2_000);
    expect((await postJson({ ['x'.repeat(900_000)]: 1 })).text.length).toBeLessThan(2_000);
    expect((await postJson({ settings: { ['x'.repeat(900_000)]: '\0' } })).text.length).toBeLessThan(2_000);
  });
});

describe('a request', () => {
  it('that repeats a query parameter is refused with the name of the parameter, even when the endpoint has no such parameter', async () => {
    for (const name of ['size', 'other']) {
      const answer = await client('GET', `/notes/1?${name}=1&${name}=2`);
      expect([answer.status, errorOf(answer).message]).toEqual([
        422,
        expect.stringContaining(`${name}: must be given once`),
      ]);
    }
  });

  it.each([
    ['size=4', 'size: must be at most 3'],
    ['size=x', 'size: must be a number'],
    ['size=1.5', 'size: must be a whole number'],
    ['other=%00', 'other: must be well-formed text'],
  ])('with the query %s is refused', async (query, fault) => {
    const answer = await client('GET', `/notes/1?${query}`);
    expect([answer.status, errorOf(answer).message]).toEqual([422, expect.stringContaining(fault)]);
  });

  it('may have unknown query parameters', async () => {
    const created = await postJson({ text: 'a', tone: 'warm' });
    expect((await client('GET', `/notes/${(created.body as { id: string }).id}?other=1&__proto__=2`)).status).toBe(200);
  });

  it.each(['/notes/%E0%A4%A', '/notes/%00', '/notes/%', '/notes/1/', '/notes/1/x', '/NOTES/1', '/nowhere'])(
    'to %s is answered 404, and 401 without a credential when the path begins with /notes',
    async (path) => {
      expect((await client('GET', path)).status).toBe(404);
      const anonymous = await createHttpClient(app.url)('GET', path);
      expect(anonymous.status).toBe(path.startsWith('/notes') ? 401 : 404);
      expect(Number(anonymous.headers.get('x-ratelimit-remaining'))).toBeLessThan(70_000);
    },
  );
});
