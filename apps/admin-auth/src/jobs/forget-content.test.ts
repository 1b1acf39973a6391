import { createUser } from '@millwright/accounts';
import { createDatabase, decodeId, newId, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { forgetContent } from './forget-content.js';

let database: TestDatabase;
let db: Database;
let owner: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 4 });
  const user = { email: 'ann@example.com', name: 'Ann', role: 'user', platformAdmin: false, project: 'Core' } as const;
  owner = decodeId('usr', (await db.transaction((tx) => createUser(tx, user))).id) ?? '';
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const create = async (body: string, project = 'Core') => {
  const id = newId();
  const data = { id, project, title: 'Note', body, tags: [], slug: id, created_by: owner };
  await db.prisma.contentItem.create({ data });
  return { id };
};
const words = async () =>
  (await db.prisma.contentWord.findMany({ orderBy: [{ project: 'asc' }, { word: 'asc' }] }))
    .map(({ project, word }) => `${project} ${word}`)
    .filter((text) => !text.endsWith(' note'));
const forget = () => forgetContent((work) => db.transaction(work));

describe('forgetContent', () => {
  afterEach(async () => {
    await db.prisma.contentItem.deleteMany();
    await forget();
    expect(await words()).toEqual([]);
  });

  it('deletes the words that occur only in deleted content of the project', async () => {
    const gone = await create('Zanzibar sails tomorrow');
    await create('Boats sail today');
    await create('Zanzibar soon', 'Commerce');
    await db.prisma.contentItem.delete({ where: gone });
    expect(await words()).toContain('Core zanzibar');
    expect(await forget()).toEqual({ words: 2 });
    // Other content has "sail", a form of "sails": both words stay until that content is deleted.
    expect(await words()).toEqual([
      'Commerce soon',
      'Commerce zanzibar',
      'Core boats',
      'Core sail',
      'Core sails',
      'Core today',
    ]);
  });

  it('deletes words that a change removed from content, and keeps the remaining words', async () => {
    const where = await create('Zanzibar tomorrow');
    await db.prisma.contentItem.update({ where, data: { body: 'Zanzibar yesterday' } });
    await db.prisma.contentItem.update({ where, data: { status: 'inactive' } });
    expect(await forget()).toEqual({ words: 1 });
    expect(await words()).toEqual(['Core yesterday', 'Core zanzibar']);
  });

  it('deletes any number of words, in steps', async () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const word = (n: number) =>
      `qu${letters[Math.floor(n / 676)]}${letters[Math.floor(n / 26) % 26]}${letters[n % 26]}x`;
    const many = await create(Array.from({ length: 450 }, (_, n) => word(n)).join(' '));
    expect(await words()).toHaveLength(450);
    await db.prisma.contentItem.delete({ where: many });
    expect(await forget()).toEqual({ words: 451 });
    expect(await db.prisma.$queryRaw`SELECT FROM content_words_left`).toEqual([]);
  });
});
