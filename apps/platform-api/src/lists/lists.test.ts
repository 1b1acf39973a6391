import { messageOf, type HttpClient } from '@millwright/testing';
import { usePlatform } from '../test-use-platform.js';

interface Item {
  id: string;
  name: string;
  created_at: string;
  updated_at: string;
}
interface Listed {
  items: Item[];
  total: number;
  page: number;
  per_page: number;
}

const { platform } = usePlatform();

const names = (listed: Listed) => listed.items.map(({ name }) => name);

describe.each(['skills', 'agents'] as const)('GET /api/v1/%s', (kind) => {
  const path = `/api/v1/${kind}`;
  let client: HttpClient;
  const list = async (query = '') => {
    const answer = await client('GET', `${path}?${query}`);
    expect(answer.status).toBe(200);
    return answer.body as Listed;
  };
  const create = async (name: string, description = '') => {
    const instructions = 'Do it.';
    return ((await client('POST', path, { json: { name, description, instructions } })).body as Item).id;
  };

  beforeAll(async () => {
    client = await platform.clientOf('Core');
    await create('Delta', 'counts 50% of_all');
    await create('alpha', 'greets in Spanish');
    await create('Charlie', 'Ärger vermeiden');
    await create('Bravo 100%', String.raw`a back\slash`);
    const gone = await create('Gone');
    await client('DELETE', `${path}/${gone}`);
    await client('PATCH', `${path}/${await create('Echo')}`, { json: { status: 'inactive' } });
    await create('Foreign').then((id) => client('DELETE', `${path}/${id}`));
    await (
      await platform.clientOf('Commerce')
    )('POST', path, { json: { name: 'Elsewhere', description: '', instructions: 'x' } });
  });

  it('lists the newest records first, 20 per page, with the total', async () => {
    const listed = await list();
    expect({ ...listed, items: names(listed) }).toEqual({
      items: ['Echo', 'Bravo 100%', 'Charlie', 'alpha', 'Delta'],
      total: 5,
      page: 1,
      per_page: 20,
    });
  });

  it('returns each item in the same form as a GET of that record', async () => {
    const [first] = (await list('per_page=1')).items;
    expect((await client('GET', `${path}/${first?.id}`)).body).toEqual(first);
  });

  it('returns each record on exactly one page, and an empty list after the last page', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`per_page=2&page=${page}&sort=name&order=asc`)));
    expect(pages.map((page) => page.items.length)).toEqual([2, 2, 1, 0]);
    expect(new Set(pages.flatMap(names)).size).toBe(5);
    expect(pages.map(({ total, page, per_page }) => [total, page, per_page])).toEqual([
      [5, 1, 2],
      [5, 2, 2],
      [5, 3, 2],
      [5, 4, 2],
    ]);
    expect((await list('page=10000000&per_page=100')).items).toEqual([]);
  });

  it.each(['created_at', 'updated_at', 'name'] as const)('sorts by %s in both directions', async (sort) => {
    const [up, down] = [await list(`sort=${sort}&order=asc`), await list(`sort=${sort}&order=desc`)];
    expect(names(down)).toEqual(names(up).reverse());
    if (sort === 'name') return;
    const times = up.items.map((item) => item[sort]);
    expect(times).toEqual(times.toSorted());
  });

  it('orders records with the same time by id, so that each record stays on its page', async () => {
    const table = kind === 'skills' ? platform.db.prisma.skill : platform.db.prisma.agent;
    const at = new Date();
    await (table as typeof platform.db.prisma.skill).updateMany({
      where: { project: 'Core' },
      data: { created_at: at, updated_at: at },
    });
    for (const sort of ['created_at', 'updated_at']) {
      for (const order of ['asc', 'desc']) {
        const pages = await Promise.all(
          [1, 2, 3, 4, 5].map((page) => list(`per_page=1&page=${page}&sort=${sort}&order=${order}`)),
        );
        const ids = pages.flatMap(({ items }) => items.map(({ id }) => id));
        expect(ids).toEqual(order === 'asc' ? ids.toSorted() : ids.toSorted().reverse());
        expect(new Set(ids).size).toBe(5);
      }
    }
  });

  it('filters by status, and returns the total of that status', async () => {
    expect(await list('status=inactive')).toMatchObject({ total: 1, items: [{ name: 'Echo' }] });
    expect(await list('status=active&per_page=1')).toMatchObject({ total: 4 });
  });

  it.each<[string, string[]]>([
    ['harl', ['Charlie']],
    ['ALPHA', ['alpha']],
    ['spanish', ['alpha']],
    ['  spanish ', ['alpha']],
    ['ärger', ['Charlie']],
    ['100%', ['Bravo 100%']],
    ['50%', ['Delta']],
    ['of_all', ['Delta']],
    ['o%a', []],
    [String.raw`back\slash`, ['Bravo 100%']],
    ['br', ['Bravo 100%']],
    ['%', []],
    ['elsewhere', []],
    ["' OR 1=1 --", []],
  ])('returns the records whose name or description contains %j, and their number as total', async (search, found) => {
    const listed = await list(`search=${encodeURIComponent(search)}`);
    expect([names(listed), listed.total]).toEqual([found, found.length]);
  });

  it('searches only the records with the requested status', async () => {
    expect(await list('search=echo&status=active')).toMatchObject({ total: 0, items: [] });
    expect(await list('search=echo&status=inactive')).toMatchObject({ total: 1 });
  });

  it('treats an empty search as no search', async () => {
    expect(await list('search=')).toMatchObject({ total: 5 });
  });

  it('returns updated totals after each change', async () => {
    const totals = async () => [
      (await list()).total,
      (await list('status=active')).total,
      (await list('status=inactive')).total,
    ];
    const id = await create('Counted');
    expect(await totals()).toEqual([6, 5, 1]);
    await client('PATCH', `${path}/${id}`, { json: { status: 'inactive' } });
    expect(await totals()).toEqual([6, 4, 2]);
    await client('PUT', `${path}/${id}`, { json: { name: 'Counted', description: '', instructions: 'x' } });
    expect(await totals()).toEqual([6, 5, 1]);
    await client('DELETE', `${path}/${id}`);
    expect(await totals()).toEqual([5, 4, 1]);
  });

  it.each([
    ['per_page=101', 'per_page: must be at most 100'],
    ['per_page=0', 'per_page: must be at least 1'],
    ['per_page=', 'per_page: must be'],
    ['per_page=ten', 'per_page: must be a'],
    ['page=0', 'page: must be at least 1'],
    ['page=1.5', 'page: must be a whole number'],
    ['page=99999999999999999999', 'page: must be'],
    ['sort=slug', 'sort: must be one of created_at, updated_at, name'],
    ['sort=name%20desc', 'sort: must be one of'],
    ['order=up', 'order: must be one of asc, desc'],
    ['status=running', 'status: must be one of active, inactive'],
    [`search=${'x'.repeat(201)}`, 'search: must be at most 200 characters'],
    ['page=1&page=2', 'page: must be given once'],
  ])('answers 422 for %s', async (query, fault) => {
    const answer = await client('GET', `${path}?${query}`);
    expect([answer.status, messageOf(answer)]).toEqual([422, expect.stringContaining(fault) as string]);
  });

  it('answers 422 naming every invalid parameter', async () => {
    const answer = await client('GET', `${path}?page=0&per_page=0&order=up`);
    for (const field of ['page', 'per_page', 'order']) expect(messageOf(answer)).toContain(`${field}: must`);
  });
});
