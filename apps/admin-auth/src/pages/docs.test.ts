import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createHttpClient, createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { request } from 'undici';
import { startConsole, type TestConsole } from '../test-console.js';
import { loadDocs } from './docs-files.js';

const PAGE = '<!doctype html><title>First</title>';

let folder: string;
let database: TestDatabase;
let site: TestConsole;
let anonymous: HttpClient;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-docs-'));
  mkdirSync(join(folder, 'assets'));
  mkdirSync(join(folder, 'errors'));
  const put = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(text));
  };
  put('index.html', PAGE);
  put('index.md', '# First\n');
  put('errors.html', PAGE);
  put('errors/not_found.html', PAGE);
  put('llms.txt', '# Millwright\n');
  put('assets/search-abc.js', 'export {};\n');
  database = await createTestDatabase();
  site = await startConsole(database.url, { docs: await loadDocs(pathToFileURL(`${folder}/`)) });
  anonymous = createHttpClient(site.url);
});
afterAll(async () => {
  await site.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

describe('GET /docs', () => {
  it.each([
    ['/docs', 'text/html; charset=utf-8', PAGE],
    ['/docs/errors', 'text/html; charset=utf-8', PAGE],
    ['/docs/errors/not_found', 'text/html; charset=utf-8', PAGE],
    ['/docs/index.md', 'text/markdown; charset=utf-8', '# First\n'],
    ['/docs/llms.txt', 'text/plain; charset=utf-8', '# Millwright\n'],
    ['/llms.txt', 'text/plain; charset=utf-8', '# Millwright\n'],
    ['/docs/assets/search-abc.js', 'text/javascript; charset=utf-8', 'export {};\n'],
  ])('answers %s without a session', async (path, type, text) => {
    const answer = await anonymous('GET', path);
    expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([200, type, text]);
  });

  it('allows scripts, styles and requests only for the assets of the page', async () => {
    const { headers } = await anonymous('GET', '/docs');
    const assets = `${site.url}/docs/assets/`;
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src ${assets}; style-src ${assets}; connect-src ${assets}; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('uses the best content coding that the browser accepts; browsers revalidate pages, and cache assets for a year', async () => {
    const get = (path: string, headers: Record<string, string>) => request(`${site.url}${path}`, { headers });
    const codings = [];
    for (const accepted of ['gzip, br', 'gzip', 'identity']) {
      const { headers, body } = await get('/docs', { 'accept-encoding': accepted });
      await body.dump();
      codings.push(headers['content-encoding']);
    }
    expect(codings).toEqual(['br', 'gzip', undefined]);
    const page = await get('/docs', {});
    await page.body.dump();
    expect(page.headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'Accept-Encoding' });
    const again = await get('/docs', { 'if-modified-since': String(page.headers['last-modified']) });
    await again.body.dump();
    expect(again.statusCode).toBe(304);
    const asset = await anonymous('GET', '/docs/assets/search-abc.js');
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it.each(['/docs/nothing', '/docs/index.html.br', '/docs/%2e%2e/package.json', '/docs/assets', '/Docs'])(
    'answers 404 for %s',
    async (path) => {
      const { body, statusCode } = await request(`${site.url}${path}`);
      await body.dump();
      expect(statusCode).toBe(404);
    },
  );

  it('redirects from an address with a trailing slash to the same address without the slash', async () => {
    const { body, statusCode, headers } = await request(`${site.url}/docs/`);
    await body.dump();
    expect([statusCode, headers.location]).toEqual([308, '/docs']);
  });
});

describe('GET /.well-known/millwright.json', () => {
  it('returns the addresses of the installation, also without a session', async () => {
    const answer = await anonymous('GET', '/.well-known/millwright.json');
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        base_url: site.url,
        runtime_url: 'http://runtime.test',
        prompt_api_url: 'http://prompt.test',
        docs_url: `${site.url}/docs`,
      },
    ]);
  });
});
