import { createHash } from 'node:crypto';
import {
  createHttpClient,
  createTestDatabase,
  listen,
  referenceFaults,
  type HttpClient,
  type ListeningApp,
  type TestDatabase,
} from '@millwright/testing';
import { z } from 'zod';
import { createNotesArea, openNotes } from '../endpoint/test-notes-area.js';
import { endpoint, openApiDocument } from '../endpoint/index.js';
import { referencePage } from './index.js';

const info = {
  title: 'Things & <more>',
  description: 'What there is.',
  version: '1.2.3',
  server: 'http://things.test',
  limits: { credential: '9 a minute' },
  security: { type: 'http', scheme: 'bearer' },
};
const changeThing = endpoint({
  operationId: 'changeThing',
  method: 'PUT',
  path: '/things/{thing_id}',
  summary: 'Change a "thing"',
  tag: 'Things',
  access: { scope: 'skills:write' },
  limit: 'credential',
  params: z.object({ thing_id: z.string() }),
  query: z.object({ page: z.coerce.number().pipe(z.int().min(1).max(9)).default(1) }),
  body: z.strictObject({
    name: z.string().min(1).max(200),
    tone: z.enum(['warm', 'cold']).optional(),
    parts: z.array(z.object({ size: z.int().min(1) })).max(5),
    model: z.string().max(7).nullable().default(null),
    map: z.record(z.string(), z.strictObject({ kind: z.literal('x') })),
  }),
  success: { status: 200, description: 'The thing', body: z.object({ name: z.string(), at: z.string() }) },
  errors: ['conflict', 'precondition_failed'],
});
const document = openApiDocument(info, 'platform', [changeThing]);
const page = referencePage(document, 'platform');
const text = page.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

describe('the reference of a service', () => {
  it('has every operation with its path and every status, and no other operation', () => {
    expect(referenceFaults(page, document)).toEqual([]);
    expect(referenceFaults(page.replaceAll('<b>409</b>', ''), document)).toEqual([
      'changeThing: <b>409</b> is missing',
    ]);
    expect(referenceFaults('', document)[0]).toBe('changeThing: PUT is missing');
    expect(referenceFaults(page, { paths: {} })).toEqual(['changeThing is not in the document']);
  });

  it.each([
    'page integer in query · 1 to 9 · default 1',
    'thing_id required string in path',
    'name required string · 1 to 200 characters',
    'tone string · one of warm, cold',
    'parts required array of object · at most 5 entries',
    'parts[].size required integer · at least 1',
    'model string or null · at most 7 characters · default null',
    'map required object',
    'map.*.kind required string · always &#34;x&#34;',
    'skills:write',
    'Limit 9 a minute',
    'application/json',
    '412 precondition_failed',
    'object of 2 fields',
    'Things &#38; &#60;more&#62;',
    'Version 1.2.3',
    'Idempotency-Key',
    'X-RateLimit-Remaining',
  ])('contains %j', (part) => {
    expect(text).toContain(part);
  });

  it('names the events of an answer that can be streamed', () => {
    const watchThing = endpoint({
      operationId: 'watchThing',
      method: 'POST',
      path: '/things/{thing_id}/watch',
      summary: 'Watch a thing',
      tag: 'Things',
      access: { scope: 'skills:read' },
      limit: 'credential',
      params: z.object({ thing_id: z.string() }),
      success: { status: 200, description: 'What it became', body: z.object({ name: z.string() }) },
      stream: { events: { moved: z.object({ to: z.string() }) }, completed: 'stopped' },
      errors: [],
    });
    const shown = referencePage(openApiDocument(info, 'platform', [watchThing]), 'platform');
    const events = 'Server-sent events: moved, stopped; or error, with the envelope of errors.';
    expect(shown).toContain(`Also as text/event-stream. ${events}`);
    expect(page).not.toContain('text/event-stream');
  });

  it('shows a call that can be copied', () => {
    const command = /<h4>Example<\/h4>\s*<pre><code>([^]*?)<\/code>/
      .exec(page)?.[1]
      ?.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
    expect(command).toBe(`curl -X PUT "http://things.test/things/$THING_ID" \\
  -H "Authorization: Bearer $CREDENTIAL" \\
  -H "Content-Type: application/json" \\
  -d '{"name":"text","parts":[],"map":{}}'`);
  });

  it('has a target for each internal link, and has each id only once', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
  });
});

describe('GET /docs', () => {
  let database: TestDatabase;
  let notes: Awaited<ReturnType<typeof openNotes>>;
  let app: ListeningApp;
  let client: HttpClient;
  beforeAll(async () => {
    database = await createTestDatabase();
    notes = await openNotes(database.url);
    app = await listen(createNotesArea({ db: notes.db, now: () => 0 }));
    client = createHttpClient(app.url);
  });
  afterAll(async () => {
    await app.close();
    await notes.db.close();
    await database.drop();
  });

  it('is public, loads no other file, and describes the same endpoints as openapi.json', async () => {
    const answer = await client('GET', '/docs');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(referenceFaults(answer.text, (await client('GET', '/openapi.json')).body as object)).toEqual([]);
    expect(answer.text).not.toMatch(/<script|<link|<img|<iframe|style=|\son\w+=|url\(|@import|javascript:/i);
    const sheets = [...answer.text.matchAll(/<style>([^]*?)<\/style>/g)];
    expect(sheets).toHaveLength(1);
    const hash = createHash('sha256')
      .update(sheets[0]?.[1] ?? '')
      .digest('base64');
    expect(answer.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
  });

  it('answers 405 to other methods, and limits requests by address', async () => {
    const wrong = await client('POST', '/docs');
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(wrong.headers.get('x-ratelimit-limit')).toBe('7');
    const answers = [];
    for (let n = 0; n < 7; n++) answers.push((await client('GET', '/docs')).status);
    expect(answers).toContain(429);
  });
});
