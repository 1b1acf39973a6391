import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeId } from '@millwright/db';
import { createTestDatabase, type ClientAnswer, type HttpClient, type TestDatabase } from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../test-runtime.js';
import type { UploadedFile } from './files.contract.js';

let database: TestDatabase;
let runtime: TestRuntime;
let token: string;
let call: HttpClient;
let foreign: HttpClient;

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
  token = await runtime.newToken();
  call = runtime.as(token);
  foreign = runtime.as(await runtime.newToken({ project: 'Commerce' }));
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});

const path = '/api/v1/files';
const MAX = 1_000_000;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const stored = async () => (await readdir(runtime.filesFolder)).length;
const rows = () => runtime.db.prisma.file.count();
const detailsOf = ({ status, body }: ClientAnswer) => ({
  status,
  ...(body as { error: { code: string; details: { field: string; reason: string } } }).error,
});

type Part = [name: string, value: string | Blob, filename?: string];
function formOf(...parts: Part[]): FormData {
  const form = new FormData();
  for (const [name, value, filename] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, filename);
  }
  return form;
}
const send = (...parts: Part[]) => call('POST', path, { body: formOf(...parts) });
const blob = (bytes: Uint8Array | string = 'some text', type = 'text/plain') => new Blob([bytes], { type });
const upload = async (bytes: Uint8Array | string = 'some text', label = 'a/note.txt', type = 'text/plain') => {
  const answer = await send(['path', label], ['file', blob(bytes, type), 'x.txt']);
  expect(answer.status).toBe(201);
  return answer.body as UploadedFile;
};
const download = (id: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${runtime.url}${path}/${id}`, { method, headers: { authorization: `Bearer ${token}`, ...headers } });

describe('GET /api/v1/files', () => {
  interface Page {
    items: UploadedFile[];
    total: number;
  }
  const list = async (query = '', by = call) => (await by('GET', `${path}${query}`)).body as Page;

  it('lists the files of the project, newest first, and finds files by a part of their paths', async () => {
    const before = (await list()).total;
    const first = await upload('one', 'listed/100%_Ärger.txt');
    const second = await upload('two', 'listed/b.txt');
    const { items, total } = await list('?limit=2');
    expect([items, total]).toEqual([[second, first], before + 2]);
    expect((await list('?limit=1&offset=1')).items).toEqual([first]);
    expect(await list('?search=LISTED/100%25_')).toMatchObject({ items: [first], total: 1 });
    expect((await list('?search=_b')).total).toBe(0);
  });

  it('answers an empty list to another project, and 400 for an invalid page', async () => {
    expect(await list('', foreign)).toMatchObject({ items: [], total: 0 });
    expect(detailsOf(await call('GET', `${path}?limit=0`))).toMatchObject({ status: 400, details: { field: 'limit' } });
  });
});

describe('POST /api/v1/files', () => {
  it('answers 201 with the record, its Location and its entity tag, and stores row, bytes and audit row', async () => {
    const bytes = randomBytes(300_000);
    const answer = await send(['path', 'reports/2026/Größe.bin'], ['file', blob(bytes, 'image/png'), 'ignored.gif']);
    const record = answer.body as UploadedFile;
    expect(answer.status).toBe(201);
    expect(record).toEqual({
      id: expect.stringMatching(/^fl_[0-9A-Za-z]{22}$/) as string,
      path: 'reports/2026/Größe.bin',
      size: 300_000,
      content_type: 'image/png',
      sha256: sha256(bytes),
      created_at: expect.stringMatching(/Z$/) as string,
    });
    expect([answer.headers.get('location'), answer.headers.get('etag')]).toEqual([`${path}/${record.id}`, '"c-1"']);
    const uuid = decodeId('fl', record.id) ?? '';
    const row = await runtime.db.prisma.file.findUniqueOrThrow({ where: { id: uuid } });
    expect(row).toMatchObject({ project: 'Core', size: 300_000n, created_by: runtime.owner.id });
    expect(await readdir(runtime.filesFolder)).toContain(uuid);
    const auditRows = await runtime.db.prisma.governanceDecision.findMany({ where: { resource: record.id } });
    expect(auditRows).toMatchObject([{ action: 'file.create', user_id: runtime.owner.id, decision: 'allow' }]);
  });

  it('accepts the fields in any order, and a path that another file already has', async () => {
    const [first, second] = [
      await send(['file', blob(), 'x'], ['path', 'same']),
      await send(['path', 'same'], ['file', blob(), 'x']),
    ];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect((first.body as UploadedFile).id).not.toBe((second.body as UploadedFile).id);
  });

  it('accepts a file of the largest size, and refuses a file that is a byte larger', async () => {
    const count = [await stored(), await rows()];
    const over = await send(['path', 'a'], ['file', blob(new Uint8Array(MAX + 1)), 'x']);
    expect(detailsOf(over)).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
    const far = await send(['path', 'a'], ['file', blob(new Uint8Array(4 * MAX)), 'x']);
    expect(detailsOf(far)).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
    expect([await stored(), await rows()]).toEqual(count);
    expect((await upload(new Uint8Array(MAX))).size).toBe(MAX);
  });

  const file: Part = ['file', blob(), 'x'];
  it.each<[string, Part[], string, string]>([
    ['no file', [['path', 'a']], 'file', 'is required'],
    ['no path', [file], 'path', 'is required'],
    ['a form without parts', [], 'file', 'is required'],
    [
      'an empty file',
      [
        ['path', 'a'],
        ['file', blob(''), 'x'],
      ],
      'file',
      'must not be empty',
    ],
    ['two files', [['path', 'a'], file, file], 'file', 'must be given once'],
    ['two paths', [['path', 'a'], ['path', 'b'], file], 'path', 'must be given once'],
    ['an unknown field', [['path', 'a'], ['tags', 'b'], file], 'tags', 'is an unknown field'],
    ['a file of another name', [['path', 'a'], ['picture', blob(), 'x'], file], 'picture', 'is an unknown field'],
    [
      'a name that reaches into prototypes',
      [['path', 'a'], ['__proto__', 'b'], file],
      '__proto__',
      'is not allowed as a name',
    ],
    [
      'eleven parts',
      [['path', 'a'], ...Array.from({ length: 9 }, (_, n): Part => [`f${n}`, 'x']), file],
      'body',
      'must have at most 10 parts',
    ],
    ['an endless path', [['path', 'x'.repeat(9_000)], file], 'path', 'must have at most 8192 bytes'],
    ['a path of 1,025 characters', [['path', 'x'.repeat(1_025)], file], 'path', 'must be at most 1024 characters'],
    ['an empty path', [['path', ''], file], 'path', 'must not be empty'],
    ...['../a', 'a/../b', '..', 'a/./b', 'a//b', 'a/', ' ', 'a/ /b', 'a/.. /b'].map(
      (tried): [string, Part[], string, string] => [
        `the path ${tried}`,
        [['path', tried], file],
        'path',
        'must not have empty names, . or ..',
      ],
    ),
    ...['/etc/passwd', 'C:x', '~/x'].map((tried): [string, Part[], string, string] => [
      `the path ${tried}`,
      [['path', tried], file],
      'path',
      'must be relative',
    ]),
    ['a backslash', [['path', String.raw`..\a`], file], 'path', 'must not have backslashes'],
    ['a NUL', [['path', 'a\0b'], file], 'path', 'must be well-formed text without NUL characters'],
    ['a control character', [['path', 'a\u0007b'], file], 'path', 'must not have control characters'],
    ['a line feed', [['path', 'a\nb'], file], 'path', 'must not have control characters'],
    ['a right-to-left override', [['path', 'a\u202egpj.exe'], file], 'path', 'must not have control characters'],
  ])('answers 400 for %s, names the invalid field, and stores nothing', async (_case, parts, field, reason) => {
    const count = [await stored(), await rows()];
    expect(detailsOf(await send(...parts))).toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      details: { field, reason },
    });
    expect([await stored(), await rows()]).toEqual(count);
  });

  const raw = (body: string | Uint8Array, type: string) =>
    call('POST', path, { body: body as Uint8Array<ArrayBuffer>, headers: { 'content-type': type } });

  it.each(['application/json', 'text/plain', 'application/octet-stream', 'multipart/mixed; boundary=b', ''])(
    'answers 415 for the type %j',
    async (type) => {
      expect(detailsOf(await raw('{"path":"a"}', type))).toMatchObject({
        status: 415,
        details: { field: 'Content-Type' },
      });
    },
  );

  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nabc';
  it.each([
    ['without a boundary', 'multipart/form-data', head],
    ['that breaks off', 'multipart/form-data; boundary=b', head],
    ['that is not multipart', 'multipart/form-data; boundary=b', 'hello'],
    [
      'with a part without a name',
      'multipart/form-data; boundary=b',
      `--b\r\nContent-Disposition: form-data\r\n\r\na\r\n${head}\r\n--b--`,
    ],
  ])('answers 400 for a form %s, and stores nothing', async (_case, type, body) => {
    const count = await stored();
    expect(detailsOf(await raw(body, type))).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(await stored()).toBe(count);
  });

  it('stores application/octet-stream for a content type that is not a media type', async () => {
    const body = (type: string) =>
      `--b\r\nContent-Disposition: form-data; name="path"\r\n\r\na\r\n${head.replace('\r\n\r\n', `\r\nContent-Type: ${type}\r\n\r\n`)}\r\n--b--`;
    const typeOf = async (type: string) =>
      ((await raw(body(type), 'multipart/form-data; boundary=b')).body as UploadedFile).content_type;
    expect(await typeOf('text/HTML; charset=utf-8')).toBe('text/html');
    expect(await typeOf('nonsense')).toBe('application/octet-stream');
    expect(await typeOf('a/b/c')).toBe('application/octet-stream');
  });

  it('stores nothing of an upload whose client disconnects', async () => {
    const count = [await stored(), await rows()];
    const { hostname, port } = new URL(runtime.url);
    const socket = connect(Number(port), hostname);
    const start = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000\r\n\r\n`;
    socket.write(`${start}${head}`);
    socket.write(Buffer.alloc(300_000));
    await eventually(async () => (await stored()) > Number(count[0]));
    socket.destroy();
    await eventually(async () => (await stored()) === count[0]);
    expect([await stored(), await rows()]).toEqual(count);
  });

  it('repeats its first answer to a repeated Idempotency-Key, and answers 409 when file, path or type then differ', async () => {
    const keyed = (key: string, ...parts: Part[]) =>
      call('POST', path, { body: formOf(...parts), headers: { 'idempotency-key': key } });
    const first = await keyed('once', ['path', 'a'], ['file', blob('one'), 'x']);
    const count = [await stored(), await rows()];
    const again = await keyed('once', ['file', blob('one'), 'y'], ['path', 'a']);
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([201, first.text, 'true']);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    for (const other of [
      [
        ['path', 'a'],
        ['file', blob('two'), 'x'],
      ],
      [
        ['path', 'b'],
        ['file', blob('one'), 'x'],
      ],
      [
        ['path', 'a'],
        ['file', blob('one', 'text/html'), 'x'],
      ],
    ] satisfies Part[][])
      expect(detailsOf(await keyed('once', ...other))).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect([await stored(), await rows()]).toEqual(count);
  });
});

async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(5);
}

describe('GET /api/v1/files/{file_id}', () => {
  const bytes = randomBytes(200_000);
  let file: UploadedFile;
  beforeAll(async () => {
    file = await upload(bytes, 'a/"Größe".html', 'text/html');
  });

  it('returns the bytes with headers that make a browser save them and never run them', async () => {
    const answer = await download(file.id);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html',
      'content-length': '200000',
      'content-disposition': `attachment; filename="\\"Gr??e\\".html"; filename*=UTF-8''%22Gr%C3%B6%C3%9Fe%22.html`,
      'accept-ranges': 'bytes',
      etag: '"c-1-bytes"',
      vary: 'Accept',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
  });

  it('returns the record, with its own entity tag, when the client prefers JSON', async () => {
    for (const accept of ['application/json', 'application/json, text/html;q=0.5']) {
      const answer = await call('GET', `${path}/${file.id}`, { headers: { accept } });
      expect([answer.status, answer.body]).toEqual([200, file]);
      expect([answer.headers.get('etag'), answer.headers.get('vary')]).toEqual(['"c-1"', 'Accept']);
    }
    for (const accept of ['text/html, application/json;q=0.5', '*/*', 'image/png'])
      expect((await download(file.id, { accept })).headers.get('etag')).toBe('"c-1-bytes"');
  });

  it.each([
    ['bytes=0-9', 0, 10],
    ['bytes=199990-', 199_990, 200_000],
    ['bytes=-5', 199_995, 200_000],
    ['bytes=-999999', 0, 200_000],
    ['bytes=199999-999999', 199_999, 200_000],
    ['Bytes= 5-5 ', 5, 6],
  ])('answers 206 with the range %s', async (range, start, end) => {
    const answer = await download(file.id, { range });
    expect(answer.status).toBe(206);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(start, end))).toBe(true);
    expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/200000`);
    expect(answer.headers.get('content-length')).toBe(String(end - start));
  });

  it.each(['bytes=200000-', 'bytes=999999-9999999', 'bytes=-0'])(
    'answers 416 and the size of the file to the range %s',
    async (range) => {
      const answer = await call('GET', `${path}/${file.id}`, { headers: { range, accept: '*/*' } });
      expect(detailsOf(answer)).toMatchObject({ status: 416, code: 'RANGE_NOT_SATISFIABLE' });
      expect(answer.headers.get('content-range')).toBe('bytes */200000');
    },
  );

  it.each(['bytes=5-1', 'bytes=a-b', 'bytes=-', 'bytes=0-1,5-6', 'lines=1-2'])(
    'returns the whole file for the header Range %s, which is not a single range',
    async (range) => {
      const answer = await download(file.id, { range });
      expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, 200_000]);
    },
  );

  it('returns a range, and not the whole file, only when If-Range names the current entity tag', async () => {
    const status = async (tag: string) => (await download(file.id, { range: 'bytes=0-0', 'if-range': tag })).status;
    expect(await status('"c-1-bytes"')).toBe(206);
    for (const tag of ['"c-1"', 'W/"c-1-bytes"', 'Wed, 21 Oct 2026 07:28:00 GMT']) expect(await status(tag)).toBe(200);
  });

  it('answers 304 to the current entity tag; the bytes and the record have separate entity tags', async () => {
    const status = async (tag: string, accept: string) =>
      (await download(file.id, { 'if-none-match': tag, accept })).status;
    expect(await status('"x", "c-1-bytes"', '*/*')).toBe(304);
    expect(await status('"c-1"', '*/*')).toBe(200);
    expect(await status('"c-1"', 'application/json')).toBe(304);
    expect(await status('"c-1-bytes"', 'application/json')).toBe(200);
  });

  it('answers HEAD with the headers of the whole file and without a body, even when a range is requested', async () => {
    const answer = await download(file.id, { range: 'bytes=0-9' }, 'HEAD');
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '200000', '']);
    expect(answer.headers.get('content-type')).toBe('text/html');
  });

  it('answers 404 to another project; the answer is the same as for an unknown file', async () => {
    const [hidden, absent] = [
      await foreign('GET', `${path}/${file.id}`),
      await foreign('GET', `${path}/fl_${'0'.repeat(22)}`),
    ];
    expect([hidden.status, hidden.text]).toEqual([404, absent.text]);
    expect((await foreign('DELETE', `${path}/${file.id}`)).status).toBe(404);
  });

  it('answers 404 when the file is deleted after its row was read, and before its bytes are read', async () => {
    const { id } = await upload();
    const read = runtime.storage.read.bind(runtime.storage);
    runtime.storage.read = async (...of) => {
      await call('DELETE', `${path}/${id}`);
      return read(...of);
    };
    try {
      expect(detailsOf(await call('GET', `${path}/${id}`))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    } finally {
      runtime.storage.read = read;
    }
  });

  it("answers 500 in the service's error form when the stored bytes are missing", async () => {
    const { id } = await upload();
    await runtime.storage.remove([decodeId('fl', id) ?? '']);
    expect(detailsOf(await call('GET', `${path}/${id}`))).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' });
  });
});

describe('DELETE /api/v1/files/{file_id}', () => {
  it('removes row and bytes, and writes an audit row', async () => {
    const { id } = await upload();
    const uuid = decodeId('fl', id) ?? '';
    const answer = await call('DELETE', `${path}/${id}`);
    expect([answer.status, answer.body]).toEqual([200, { id }]);
    expect(await runtime.db.prisma.file.findUnique({ where: { id: uuid } })).toBeNull();
    expect(await readdir(runtime.filesFolder)).not.toContain(uuid);
    const auditRows = await runtime.db.prisma.governanceDecision.findMany({
      where: { resource: id, action: 'file.delete' },
    });
    expect(auditRows).toMatchObject([{ user_id: runtime.owner.id, decision: 'allow' }]);
    expect((await call('GET', `${path}/${id}`)).status).toBe(404);
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(404);
  });

  it.each(['"c-1"', '"c-1-bytes"', '*'])('accepts If-Match %s', async (tag) => {
    const { id } = await upload();
    expect((await call('DELETE', `${path}/${id}`, { headers: { 'if-match': tag } })).status).toBe(200);
  });

  it('answers 412 to another entity tag, and keeps the file', async () => {
    const { id } = await upload();
    const answer = await call('DELETE', `${path}/${id}`, { headers: { 'if-match': '"c-2"' } });
    expect(detailsOf(answer)).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED' });
    expect((await download(id)).status).toBe(200);
  });
});
