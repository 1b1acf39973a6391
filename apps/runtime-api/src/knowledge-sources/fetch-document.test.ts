import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { createEgress } from '@millwright/egress';
import { listen, type ListeningApp } from '@millwright/testing';
import { fetchDocument, NotFetched, type FetchedDocument, type Validators } from './fetch-document.js';

const egress = createEgress({ allowLoopback: true, allowHttp: true, allow: [] });
const NOTHING: Validators = { etag: null, last_modified: null, final_url: null };

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
let server: ListeningApp;
let answer: Answer;
let asked: IncomingMessage[];
beforeAll(async () => {
  server = await listen((request, response) => {
    asked.push(request);
    answer(request, response);
  });
});
afterAll(async () => {
  await server.close();
  await egress.close();
});
beforeEach(() => {
  asked = [];
});

const page: Answer = (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Mills');
const fetched = (path = '/page', known = NOTHING, options: { timeoutMs?: number; maxBytes?: number } = {}) =>
  fetchDocument(server.url + path, known, { request: egress.request, project: 'Core', ...options });
const textOf = (document: FetchedDocument | undefined) => Buffer.from(document?.bytes ?? []).toString();

/** Returns a short text for the failure of a fetch, for example `status 404` or `timed_out`. It ends with `!` when a repeated fetch may succeed. */
async function failureOf(fetching: Promise<unknown>): Promise<string> {
  const error: unknown = await fetching.then(
    () => new Error('fetched'),
    (failure: unknown) => failure,
  );
  if (!(error instanceof NotFetched)) throw error;
  return `${error.failure}${error.status === null ? '' : ` ${error.status}`}${error.isTransient ? '!' : ''}`;
}

describe('fetchDocument', () => {
  it('returns the bytes with their type, name and validators, and the address that sent them', async () => {
    answer = (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/plain', etag: '"a"', 'last-modified': 'Fri, 27 Nov 2026 10:00:00 GMT' })
        .end('Mills');
    const document = await fetched('/docs/mills.txt?x=1');
    expect(document).toMatchObject({ name: 'mills.txt', contentType: 'text/plain', etag: '"a"' });
    expect([textOf(document), document?.final_url]).toEqual(['Mills', `${server.url}/docs/mills.txt?x=1`]);
    expect(asked[0]?.headers).toMatchObject({ 'user-agent': expect.stringMatching(/^Millwright\//) as string });
    expect(asked[0]?.headers).not.toHaveProperty('authorization');
  });

  it('follows at most five redirects, which may be relative', async () => {
    answer = (request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) page(request, response);
      else response.writeHead(302, { location: `${left - 1}` }).end();
    };
    expect((await fetched('/5'))?.final_url).toBe(`${server.url}/0`);
    asked = [];
    expect(await failureOf(fetched('/100'))).toBe('redirects');
    expect(asked).toHaveLength(6);
  });

  it.each([
    ['a private address', 'http://10.0.0.1/', 'refused'],
    [
      'the address at which cloud providers publish data of a machine',
      'http://169.254.169.254/latest/meta-data',
      'refused',
    ],
    ['another scheme', 'file:///etc/passwd', 'refused'],
    ['a URL with a user and a password', 'https://ada:hunter2@example.com/', 'refused'],
    ['an invalid URL', 'http://[', 'redirects'],
  ])('does not follow a redirect to %s', async (_what, location, failure) => {
    answer = (_request, response) => response.writeHead(302, { location }).end();
    expect(await failureOf(fetched())).toBe(failure);
  });

  it('fails for a redirect without a target', async () => {
    answer = (_request, response) => response.writeHead(301).end();
    expect(await failureOf(fetched())).toBe('redirects');
  });

  it.each([
    [404, 'status 404'],
    [403, 'status 403'],
    [204, 'status 204'],
    [206, 'status 206'],
    [500, 'status 500!'],
    [429, 'status 429!'],
    [304, 'status 304'],
  ])('fails when the server answers with the status %d', async (status, failure) => {
    answer = (_request, response) => response.writeHead(status, { 'content-type': 'text/html' }).end();
    expect(await failureOf(fetched())).toBe(failure);
  });

  it.each(['image/png', 'application/json', 'text/css', 'application/zip', 'multipart/form-data'])(
    'refuses the type %s without reading the body',
    async (type) => {
      answer = (_request, response) => {
        response.writeHead(200, { 'content-type': type });
        response.write('x'.repeat(100));
      };
      expect(await failureOf(fetched())).toBe('type');
    },
  );

  it('derives the type from the file extension when the server names no type', async () => {
    answer = (_request, response) => response.writeHead(200).end('# Mills');
    expect(textOf(await fetched('/mills.md'))).toBe('# Mills');
    expect(await failureOf(fetched('/mills.exe'))).toBe('type');
  });

  it('stops reading at the limit of bytes, both for an endless body and for the decompressed bytes of a gzip bomb', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      const timer = setInterval(() => response.write('x'.repeat(50_000)), 1);
      response.once('close', () => clearInterval(timer));
    };
    expect(await failureOf(fetched('/endless', NOTHING, { maxBytes: 1_000_000 }))).toBe('too_many_bytes');
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(bomb);
    expect(bomb.length).toBeLessThan(100_000);
    expect(await failureOf(fetched('/bomb'))).toBe('too_many_bytes');
  });

  it('fails at the time limit, which covers a slow body and all redirects together', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      const timer = setInterval(() => response.write('x'), 20);
      response.once('close', () => clearInterval(timer));
    };
    expect(await failureOf(fetched('/slow', NOTHING, { timeoutMs: 300 }))).toBe('timed_out!');
    answer = (_request, response) => void setTimeout(() => response.writeHead(302, { location: '/' }).end(), 200);
    expect(await failureOf(fetched('/slow', NOTHING, { timeoutMs: 500 }))).toBe('timed_out!');
    expect(asked.length).toBeLessThan(6);
  });

  it('fails when the server breaks the connection, refuses it, or has a name that cannot be resolved', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': 100 });
      response.write('x');
      setTimeout(() => response.destroy(), 20);
    };
    expect(await failureOf(fetched())).toBe('no_answer!');
    const options = { request: egress.request, project: 'Core' };
    expect(await failureOf(fetchDocument('http://127.0.0.1:9/', NOTHING, options))).toBe('no_answer!');
    expect(await failureOf(fetchDocument('https://nobody.invalid/', NOTHING, options))).toBe('unresolvable!');
  });

  it('sends ETag and Last-Modified back only to the address that sent them, and returns undefined for the answer 304', async () => {
    const known = { etag: '"a"', last_modified: 'Fri, 27 Nov 2026 10:00:00 GMT', final_url: `${server.url}/page` };
    answer = (request, response) => {
      if (request.url === '/old') response.writeHead(302, { location: '/page' }).end();
      else response.writeHead(304).end();
    };
    expect(await fetched('/old', known)).toBeUndefined();
    const sent = asked.map(({ headers }) => [headers['if-none-match'], headers['if-modified-since']]);
    expect(sent).toEqual([
      [undefined, undefined],
      ['"a"', known.last_modified],
    ]);
  });

  it('reads texts in the encoding that the server or the page names', async () => {
    const latin = Buffer.from('<meta charset="windows-1252"><p>Mühle', 'latin1');
    answer = (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(latin);
    expect(textOf(await fetched())).toContain('Mühle');
    answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/plain; charset=ISO-8859-1' }).end(Buffer.from('Mühle', 'latin1'));
    expect(textOf(await fetched())).toBe('Mühle');
    answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/plain; charset=no-such' }).end('Mühle');
    expect(textOf(await fetched())).toBe('Mühle');
  });
});
