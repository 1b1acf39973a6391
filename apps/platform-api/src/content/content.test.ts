import { messageOf } from '@millwright/testing';
import { searchContent } from '@millwright/catalog';
import { decodeId, encodeId } from '@millwright/db';
import { usePlatform } from '../test-use-platform.js';
import type { ContentItem } from './content.contract.js';

const { platform, client, foreign } = usePlatform();
let titles = 0;

const ROOT = '/api/v1/content';
const path = (id: string) => `${ROOT}/${id}`;
const fields = (over: object = {}) => ({ title: `Note ${++titles}`, body: 'Read me.', ...over });
const rowOf = (id: string) => platform.db.prisma.contentItem.findUnique({ where: { id: decodeId('ct', id) ?? '' } });

/** Makes words of ten random characters from the `span` characters that start at the code point `from`. */
function differentWords(from: number, span: number, count: number): string[] {
  let seed = 1;
  const next = () => (seed = (seed * 48_271) % 2_147_483_647);
  const word = () => String.fromCodePoint(...Array.from({ length: 10 }, () => from + (next() % span)));
  return Array.from({ length: count }, word);
}

async function create(over: object = {}, by = client): Promise<ContentItem> {
  const answer = await by('POST', ROOT, { json: fields(over) });
  expect(answer.status).toBe(201);
  return answer.body as ContentItem;
}

describe('GET /api/v1/content', () => {
  it('lists the items that have all tags of the parameter `tag`, with their total, page by page', async () => {
    const tagged = (title: string, ...tags: string[]) => client('POST', ROOT, { json: { title, body: 'x', tags } });
    for (const n of [1, 2, 3]) await tagged(`Flour ${n}`, 'flour', ...(n === 1 ? ['rye'] : []));
    await tagged('Bread', 'bread');
    const titles = async (query: string) => {
      const { status, body, headers } = await client('GET', `${ROOT}?sort=title&order=asc&${query}`);
      const { items, total } = body as { items: ContentItem[]; total: number };
      expect(status).toBe(200);
      return [items.map(({ title }) => title), total, headers.get('link')?.includes('tag=flour') ?? false];
    };
    expect(await titles('tag=flour')).toEqual([['Flour 1', 'Flour 2', 'Flour 3'], 3, false]);
    expect(await titles('tag=flour&per_page=2')).toEqual([['Flour 1', 'Flour 2'], 3, true]);
    expect(await titles('tag=rye,%20flour')).toEqual([['Flour 1'], 1, false]);
    expect(await titles('tag=flour,bread')).toEqual([[], 0, false]);
    expect(await titles('tag=flour&search=flour%203')).toEqual([['Flour 3'], 1, false]);
  });
});

describe('POST /api/v1/content', () => {
  it('answers 201 with the item, its Location and its entity tag, and writes its row, its audit entry and the total', async () => {
    const before = await platform.countOf('Core', 'content_items', 'active');
    const answer = await client('POST', ROOT, {
      json: { title: ' House rules ', body: 'Be kind.', tags: ['hr', 'rules'] },
    });
    const item = answer.body as ContentItem;
    expect(answer.status).toBe(201);
    expect(item).toEqual({
      id: expect.stringMatching(/^ct_[0-9A-Za-z]{22}$/) as string,
      title: 'House rules',
      body: 'Be kind.',
      tags: ['hr', 'rules'],
      status: 'active',
      created_at: item.updated_at,
      updated_at: item.created_at,
    });
    expect([answer.headers.get('location'), answer.headers.get('etag')]).toEqual([path(item.id), '"b-1"']);
    expect(await rowOf(item.id)).toMatchObject({
      project: 'Core',
      slug: 'house-rules',
      source: 'platform',
      kind: 'document',
      public: false,
      version: 1,
      created_by: platform.user.id,
    });
    expect(await platform.decisionsOn(item.id)).toMatchObject([
      {
        action: 'content.create',
        detail: { title: 'House rules', slug: 'house-rules' },
        project: 'Core',
        user_id: platform.user.id,
      },
    ]);
    expect(await platform.countOf('Core', 'content_items', 'active')).toBe(before + 1);
    expect((await client('GET', path(item.id))).text).toBe(answer.text);
  });

  it('gives concurrently created items with the same title distinct slugs in the project', async () => {
    const items = await Promise.all(Array.from({ length: 5 }, () => create({ title: 'Twin' })));
    const slugs = await Promise.all(items.map(async ({ id }) => (await rowOf(id))?.slug));
    expect(slugs.toSorted()).toEqual(['twin', 'twin-2', 'twin-3', 'twin-4', 'twin-5']);
    expect(await rowOf((await create({ title: 'Twin' }, foreign)).id)).toMatchObject({ slug: 'twin' });
    const unnamed = await create({ title: '日本語' });
    expect(await rowOf(unnamed.id)).toMatchObject({ slug: unnamed.id });
  });

  it.each([
    ['45,000 different English', 45_000, 0x61, 26],
    ['45,000 different Russian', 45_000, 0x430, 32],
    ['30,000 different Chinese', 30_000, 0x4e00, 20_000],
  ])(
    'creates an item of %s words that a search finds by one of the first words; fewer than 2,000 words are added to the search dictionary',
    async (_of, count, from, span) => {
      const words = differentWords(from, span, count);
      const known = await platform.db.prisma.contentWord.count();
      const { id } = await create({ title: 'Dictionary', body: words.join(' ') });
      const found = await searchContent(platform.db, { project: 'Core', text: words[9] ?? '', limit: 1 });
      expect(found.results.map((item) => encodeId('ct', item.id))).toEqual([id]);
      expect((await platform.db.prisma.contentWord.count()) - known).toBeLessThan(2_000);
    },
  );

  it.each<[object, string]>([
    [{ title: undefined }, 'title: is required'],
    [{ title: '  ' }, 'title: must not be empty'],
    [{ title: 'x'.repeat(301) }, 'title: must be at most 300 characters'],
    [{ body: undefined }, 'body: is required'],
    [{ body: null }, 'body: must be a string'],
    [{ body: 'x'.repeat(500_001) }, 'body: must be at most 500000 characters'],
    [{ tags: 'a' }, 'tags: must be an array'],
    [{ tags: ['a', ''] }, 'tags.1: must not be empty'],
    [{ tags: ['a', 'a'] }, 'tags: must not name a tag twice'],
    [{ status: 'inactive' }, 'status: is an unknown field'],
    [{ colour: 'red' }, 'colour: is an unknown field'],
  ])('answers 422 to an invalid field, and stores nothing (case %#)', async (over, fault) => {
    const before = await platform.db.prisma.contentItem.count();
    const answer = await client('POST', ROOT, { json: fields(over) });
    expect([answer.status, messageOf(answer)]).toEqual([422, expect.stringContaining(fault) as string]);
    expect(await platform.db.prisma.contentItem.count()).toBe(before);
  });

  it('creates one item from 20 concurrent requests with the same Idempotency-Key', async () => {
    const request = { json: fields(), headers: { 'idempotency-key': 'content-once' } };
    await Promise.all(Array.from({ length: 20 }, () => client('POST', ROOT, request)));
    expect(await platform.db.prisma.contentItem.count({ where: { title: request.json.title } })).toBe(1);
    const again = await client('POST', ROOT, request);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  });
});

describe('GET /api/v1/content?search=', () => {
  it('matches titles and the first 20,000 characters of bodies', async () => {
    const body = `quokka ${'x '.repeat(9_980)} numbat ${'y '.repeat(200_000)} bilby`;
    const { id } = await create({ title: 'Marsupials', body });
    const total = async (search: string) =>
      ((await client('GET', `${ROOT}?search=${search}`)).body as { items: ContentItem[]; total: number }).total;
    expect([await total('arsupi'), await total('uokk'), await total('umba'), await total('bilb')]).toEqual([
      1, 1, 1, 0,
    ]);
    await client('DELETE', path(id));
  });

  it('searches titles and bodies with a condition for which PostgreSQL can use an index', async () => {
    const [{ indexdef }] = await platform.db.prisma.$queryRaw<[{ indexdef: string }]>`
      SELECT indexdef FROM pg_indexes WHERE indexname = 'content_items_search_start_idx'`;
    expect(indexdef).toContain('USING gin (title gin_trgm_ops, "left"(body, 20000) gin_trgm_ops)');
    const plan = await platform.db.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL enable_seqscan = off`;
      return tx.$queryRaw<{ 'QUERY PLAN': string }[]>`
        EXPLAIN SELECT id FROM content_items r WHERE r.title ILIKE '%umba%' OR left(r.body, 20000) ILIKE '%umba%'`;
    });
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('content_items_search_start_idx');
  });
});

describe('GET /api/v1/content/{content_id}', () => {
  it('answers 304 for the current entity tag', async () => {
    const { id } = await create();
    expect((await client('GET', path(id), { headers: { 'if-none-match': '"b-1"' } })).status).toBe(304);
    expect((await client('GET', path(id.replace('ct_', 'sk_')))).status).toBe(404);
  });
});

describe('PUT /api/v1/content/{content_id}', () => {
  it('replaces the whole item except its slug, and answers 412 for a stale entity tag and 422 for a missing field', async () => {
    const item = await create({ tags: ['old'], title: 'First title' });
    await client('PATCH', path(item.id), { json: { status: 'inactive' } });
    const answer = await client('PUT', path(item.id), {
      json: { title: 'Second title', body: 'New.' },
      headers: { 'if-match': '"b-2"' },
    });
    expect(answer.body).toMatchObject({
      title: 'Second title',
      body: 'New.',
      tags: [],
      status: 'active',
      created_at: item.created_at,
    });
    expect(await rowOf(item.id)).toMatchObject({ slug: 'first-title', tags: [], version: 3 });
    const stale = await client('PUT', path(item.id), { json: fields(), headers: { 'if-match': '"b-2"' } });
    const half = await client('PUT', path(item.id), { json: { title: 'x' } });
    expect([stale.status, half.status, messageOf(half)]).toEqual([
      412,
      422,
      expect.stringContaining('body: is required') as string,
    ]);
    const shown = (await client('GET', path(item.id))).body as ContentItem;
    expect((await client('PUT', path(item.id), { json: shown })).status).toBe(200);
  });
});

describe('PATCH /api/v1/content/{content_id}', () => {
  it('changes only the fields of the request, names these fields in the audit entry and updates the totals per status', async () => {
    const item = await create({ tags: ['a'] });
    const inactive = await platform.countOf('Core', 'content_items', 'inactive');
    const answer = await client('PATCH', path(item.id), { json: { body: 'Better', status: 'inactive' } });
    expect(answer.body).toEqual({
      ...item,
      body: 'Better',
      status: 'inactive',
      updated_at: (answer.body as ContentItem).updated_at,
    });
    expect(await platform.countOf('Core', 'content_items', 'inactive')).toBe(inactive + 1);
    expect((await platform.decisionsOn(item.id)).at(-1)).toMatchObject({
      action: 'content.update',
      detail: { fields: ['body', 'status'] },
    });
    expect((await client('PATCH', path(item.id), { json: {} })).headers.get('etag')).toBe('"b-2"');
    expect((await client('PATCH', path(item.id), { json: { status: 'paused' } })).status).toBe(422);
  });
});

describe('DELETE /api/v1/content/{content_id}', () => {
  it('answers 204, deletes the item and decreases the total; the audit log stays unchanged', async () => {
    const { id } = await create();
    const total = await platform.countOf('Core', 'content_items');
    expect((await client('DELETE', path(id), { headers: { 'if-match': '"b-2"' } })).status).toBe(412);
    expect((await client('DELETE', path(id))).status).toBe(204);
    expect([await rowOf(id), await platform.countOf('Core', 'content_items')]).toEqual([null, total - 1]);
    expect((await platform.decisionsOn(id)).map(({ action }) => action)).toEqual(['content.create', 'content.delete']);
    expect((await client('DELETE', path(id))).status).toBe(404);
  });
});

describe('GET /api/v1/content', () => {
  it('searches titles and bodies, filters by status, sorts by title and refuses to sort by name', async () => {
    const [first, second] = [
      await create({ title: 'Zebra crossing', body: 'stripes' }),
      await create({ title: 'Aardvark', body: 'no zebra' }),
    ];
    await client('PATCH', path(second.id), { json: { status: 'inactive' } });
    const list = async (query: string) => {
      const { items, total } = (await client('GET', `${ROOT}?${query}`)).body as {
        items: ContentItem[];
        total: number;
      };
      return [items.map(({ id }) => id), total];
    };
    expect(await list('search=ZEBRA&sort=title&order=asc')).toEqual([[second.id, first.id], 2]);
    expect(await list('search=zebra&status=inactive')).toEqual([[second.id], 1]);
    expect(await list('search=ze')).toEqual([[first.id], 1]);
    expect((await list('per_page=1'))[1]).toBe(await platform.countOf('Core', 'content_items'));
    const refused = await client('GET', `${ROOT}?sort=name`);
    expect([refused.status, messageOf(refused)]).toEqual([
      422,
      expect.stringContaining('sort: must be one of created_at, updated_at, title') as string,
    ]);
  });
});

describe('another project', () => {
  it('can neither read, change, delete nor list a content item', async () => {
    const { id, title } = await create();
    const answers = [
      await foreign('GET', path(id)),
      await foreign('PUT', path(id), { json: fields() }),
      await foreign('PATCH', path(id), { json: { title: 'taken over' } }),
      await foreign('DELETE', path(id)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(await rowOf(id)).toMatchObject({ title, version: 1 });
    expect((await foreign('GET', `${ROOT}?per_page=100`)).text).not.toContain(id);
  });
});
