import { decodeId } from '@millwright/db';
import { createTestDatabase, type ClientAnswer, type HttpClient, type TestDatabase } from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../test-runtime.js';
import type { ContentRecord, FoundContent } from './content.contract.js';

let database: TestDatabase;
let runtime: TestRuntime;
let call: HttpClient;
let foreign: HttpClient;
let count = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
  call = runtime.as(await runtime.newToken());
  foreign = runtime.as(await runtime.newToken({ project: 'Commerce' }));
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});

const path = '/api/v1/content';
const detailsOf = ({ status, body }: ClientAnswer) => ({
  status,
  ...(body as { error: { code: string; details: { field: string; reason: string } } }).error,
});
const create = async (over: object = {}, client = call) => {
  const sent = { title: `Item ${++count}`, content: 'Some text', ...over };
  const answer = await client('POST', path, { json: sent });
  expect(answer.status).toBe(201);
  return answer.body as ContentRecord;
};
const setStatus = (id: string, status: string) =>
  runtime.db.prisma.contentItem.update({ where: { id: decodeId('ct', id) ?? '' }, data: { status } });

describe('POST /api/v1/content', () => {
  it('answers 201 with the record, its Location and its entity tag; the total of the list increases, and an audit row is written', async () => {
    const total = async () => ((await call('GET', `${path}?limit=1`)).body as { total: number }).total;
    const before = await total();
    const sent = {
      title: ' Guide ',
      slug: 'the-guide',
      content: 'How to',
      source: 'docs',
      kind: 'guide',
      public: true,
      tags: ['help'],
    };
    const answer = await call('POST', path, { json: sent });
    const record = answer.body as ContentRecord;
    expect(answer.status).toBe(201);
    const like = (pattern: RegExp) => expect.stringMatching(pattern) as string;
    expect(record).toEqual({
      ...sent,
      title: 'Guide',
      id: like(/^ct_[0-9A-Za-z]{22}$/),
      created_at: like(/Z$/),
      updated_at: record.created_at,
    });
    expect([answer.headers.get('location'), answer.headers.get('etag')]).toEqual([`${path}/${record.id}`, '"c-1"']);
    expect((await call('GET', `${path}/${record.id}`)).text).toBe(answer.text);
    expect(await total()).toBe(before + 1);
    const auditRows = await runtime.db.prisma.governanceDecision.findMany({ where: { resource: record.id } });
    expect(auditRows).toMatchObject([{ action: 'content.create', user_id: runtime.owner.id, decision: 'allow' }]);
  });

  it('makes the slug from the title, adds a number when the slug is taken, and uses the id when the title has no letters or digits', async () => {
    const [first, second, bare] = [
      await create({ title: 'Same Title' }),
      await create({ title: 'Same title!' }),
      await create({ title: '日本語' }),
    ];
    expect([first.slug, second.slug, bare.slug]).toEqual(['same-title', 'same-title-2', bare.id]);
  });

  it('answers 400 and names the field slug when an item of the same source has that slug; items of other sources may use the slug', async () => {
    await create({ slug: 'taken', source: 'blog' });
    const answer = await call('POST', path, { json: { title: 'x', content: '', slug: 'taken', source: 'blog' } });
    expect(detailsOf(answer)).toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      details: { field: 'slug', reason: 'is taken' },
    });
    await create({ slug: 'taken', source: 'docs' });
    await create({ slug: 'taken', source: 'blog' }, foreign);
  });

  it.each<[object, string]>([
    [{ title: undefined }, 'title'],
    [{ title: ' ' }, 'title'],
    [{ title: 'x'.repeat(301) }, 'title'],
    [{ content: undefined }, 'content'],
    [{ content: null }, 'content'],
    [{ content: 'x'.repeat(500_001) }, 'content'],
    [{ slug: 'No Slug' }, 'slug'],
    [{ slug: '../x' }, 'slug'],
    [{ source: '' }, 'source'],
    [{ kind: 3 }, 'kind'],
    [{ public: 'true' }, 'public'],
    [{ tags: ['a', 'a'] }, 'tags'],
    [{ body: 'x' }, 'body'],
  ])('answers 400 to %j, and the error names the field %s', async (over, field) => {
    const answer = await call('POST', path, { json: { title: 'T', content: 'C', ...over } });
    expect(detailsOf(answer)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR', details: { field } });
  });
});

describe('GET /api/v1/content', () => {
  it('lists active items in pages, newest first, and filters them by source and by whether they are public', async () => {
    const source = 'listed';
    const [a, b, c] = [
      await create({ source, public: true }),
      await create({ source }),
      await create({ source, public: true }),
    ];
    const hidden = await create({ source });
    await setStatus(hidden.id, 'inactive');
    const list = async (query: string) => {
      const { status, body } = await call('GET', `${path}?source=${source}${query}`);
      expect(status).toBe(200);
      const { items, ...page } = body as { items: ContentRecord[] };
      return { ...page, ids: items.map(({ id }) => id) };
    };
    expect(await list('')).toEqual({ total: 3, limit: 50, offset: 0, ids: [c.id, b.id, a.id] });
    expect(await list('&public=true')).toMatchObject({ total: 2, ids: [c.id, a.id] });
    expect(await list('&public=false')).toMatchObject({ total: 1, ids: [b.id] });
    expect(await list('&limit=1&offset=1')).toEqual({ total: 3, limit: 1, offset: 1, ids: [b.id] });
    expect((await call('GET', `${path}/${hidden.id}`)).status).toBe(404);
    expect((await foreign('GET', `${path}?source=${source}`)).body).toMatchObject({ items: [], total: 0 });
    expect((await foreign('GET', `${path}/${a.id}`)).status).toBe(404);
  });

  it('returns pages of at most 8 MiB plus one item; the links to the next pages lead to each item exactly once', async () => {
    const source = 'long';
    for (let n = 0; n < 20; n += 1) await create({ source });
    await database.run("UPDATE content_items SET body = repeat('x', 490000) WHERE source = $1", [source]);
    let next: string | undefined = `${path}?source=${source}&limit=1000`;
    const seen: string[] = [];
    let parts = 0;
    while (next !== undefined) {
      const { status, text, body, headers }: ClientAnswer = await call('GET', next);
      const { items, total } = body as { items: ContentRecord[]; total: number };
      expect({ status, total }).toEqual({ status: 200, total: 20 });
      expect(text.length).toBeLessThan(8 * 1_048_576 + 500_000);
      seen.push(...items.map(({ id }) => id));
      parts += 1;
      next = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    expect({ seen: seen.length, distinct: new Set(seen).size, parts }).toEqual({ seen: 20, distinct: 20, parts: 2 });
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['offset=-1', 'offset'],
    ['public=yes', 'public'],
    ['source=A%20B', 'source'],
    ['source=a&source=b', 'source'],
  ])('answers 400 to %s, and the error names the field %s', async (query, field) => {
    expect(detailsOf(await call('GET', `${path}?${query}`))).toMatchObject({ status: 400, details: { field } });
  });
});

describe('GET /api/v1/content/search', () => {
  const search = async (query: Record<string, string>, client = call) => {
    const { status, body } = await client('GET', `${path}/search?${new URLSearchParams(query).toString()}`);
    expect(status).toBe(200);
    return body as { results: FoundContent[]; total: number };
  };

  it('returns records with score and snippet; items with all words come before items with some words, and titles before bodies', async () => {
    const source = 'found';
    const body = await create({
      source,
      title: 'Heating',
      content: `${'Words before. '.repeat(40)}The boiler is red.`,
    });
    const title = await create({ source, title: 'Boiler', content: 'It heats.' });
    const both = await create({ source, title: 'Cellar', content: 'A boiler and a pump.' });
    const { results, total } = await search({ q: 'boiler pump', source });
    expect(total).toBe(3);
    expect(results.map(({ id }) => id)).toEqual([both.id, title.id, body.id]);
    const { score, snippet, ...record } = results[2] as FoundContent;
    expect(record).toEqual(body);
    expect(score).toBeGreaterThan(0);
    expect(snippet).toContain('The boiler');
    expect(snippet.length).toBeLessThan(400);
  });

  it('finds words that are inflected, misspelt, incomplete or written without accents, and finds tags', async () => {
    const source = 'forms';
    await create({ source, title: 'Crème brûlée', content: 'Caramelised desserts', tags: ['sweets'] });
    for (const q of ['creme', 'BRÛLÉE', 'dessert', 'carameli', 'desertts', 'sweet'])
      expect({ q, total: (await search({ q, source })).total }).toEqual({ q, total: 1 });
    expect((await search({ q: 'pneumatic', source })).total).toBe(0);
  });

  it('returns and counts only items that match the filters, and omits inactive items and items of other projects', async () => {
    const shown = await create({ source: 'one', title: 'Zebra', public: true });
    await create({ source: 'two', title: 'Zebra' });
    await create({ title: 'Zebra' }, foreign);
    await setStatus((await create({ source: 'one', title: 'Zebra herd' })).id, 'inactive');
    expect((await search({ q: 'zebra', source: 'one' })).results.map(({ id }) => id)).toEqual([shown.id]);
    expect((await search({ q: 'zebra', public: 'true' })).results.map(({ id }) => id)).toEqual([shown.id]);
    expect((await search({ q: 'zebra' })).total).toBe(2);
    expect((await search({ q: 'zebra', limit: '1', offset: '1' })).results).toHaveLength(1);
    expect(await search({ q: 'zebra', offset: '9' })).toEqual({ results: [], total: 2 });
  });

  it('returns, for a long text, a snippet that contains the found words, and returns at most 2 MiB of bodies per page', async () => {
    const source = 'long';
    const filler = (count: number) => 'Nothing of note is written here at all. '.repeat(count);
    const body = `${filler(2_000)}\nThe Pelicans arrive in Ménton each May. ${filler(10_000)}`;
    const slugs = Array.from({ length: 40 }, (_, n) => `long-${n}`);
    for (const slug of slugs) await create({ source, slug, title: slug, content: body });
    const seen: string[] = [];
    while (seen.length < slugs.length) {
      const { results, total } = await search({
        q: 'pelican menton',
        source,
        limit: '100',
        offset: String(seen.length),
      });
      expect(total).toBe(40);
      for (const { snippet } of results) expect(snippet).toContain('Pelicans arrive in Ménton');
      expect(results.length * body.length).toBeLessThanOrEqual(2 * 1_048_576);
      expect(results).not.toEqual([]);
      seen.push(...results.map(({ slug }) => slug));
    }
    expect(seen.toSorted()).toEqual(slugs.toSorted());
  });

  it('ranks and counts at most 10,000 items for a frequent word', async () => {
    const { id: owner } = runtime.owner;
    for (let from = 0; from < 10_500; from += 1_500)
      await database.sql`
        INSERT INTO content_items (id, project, title, body, tags, slug, source, created_by)
        SELECT gen_random_uuid(), 'Core', 'Ubiquitous', '', '{}', 'common-' || n, 'common', ${owner}::uuid
          FROM generate_series(${from}::int, ${from}::int + 1499) n`;
    const { results, total } = await search({ q: 'ubiquitous', source: 'common' });
    expect([results.length, total]).toEqual([10, 10_000]);
  });

  it.each([
    "'; DROP TABLE content_items; --",
    '& | ! ( ) : * <-> \\',
    'the of and',
    '😀',
    'word '.repeat(99),
    '"unclosed',
    'a:*b & !c',
  ])('answers 200 to the query %j', async (q) => {
    expect((await search({ q, source: 'none' })).results).toEqual([]);
  });

  it.each([
    ['', 'q'],
    ['q=', 'q'],
    ['q=%20', 'q'],
    [`q=${'x'.repeat(501)}`, 'q'],
    ['q=a&limit=101', 'limit'],
    ['q=a&q=b', 'q'],
  ])('answers 400 to %s, and the error names the field %s', async (query, field) => {
    expect(detailsOf(await call('GET', `${path}/search?${query}`))).toMatchObject({ status: 400, details: { field } });
  });

  it('finds a changed item by its new words, and no longer by its old words', async () => {
    const { id } = await create({ source: 'changing', title: 'Lighthouse' });
    const where = { id: decodeId('ct', id) ?? '' };
    await runtime.db.prisma.contentItem.update({ where, data: { title: 'Windmill' } });
    expect((await search({ q: 'lighthouse', source: 'changing' })).total).toBe(0);
    expect((await search({ q: 'windmil', source: 'changing' })).total).toBe(1);
  });
});
