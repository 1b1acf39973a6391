import { decodeId, encodeId, newId } from '@millwright/db';
import { readQuotaDrift, setQuota } from '@millwright/db/quotas';
import {
  createFakeModel,
  createTestDatabase,
  type FakeModel,
  type HttpClient,
  type TestDatabase,
} from '@millwright/testing';
import { BASE_URL, startRuntime, type TestRuntime } from '../test-runtime.js';
import { buildExtractWorker } from '@millwright/documents/build-worker';
import { pdfOf } from '@millwright/documents/test-documents';
import { pollUntil } from '../triggers/test-triggers.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let by: HttpClient;

interface Knowledge {
  state: string;
  passages: number;
  failure: { code: string; message: string } | null;
}

beforeAll(async () => {
  await buildExtractWorker();
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url, { uploadMaxBytes: 4_000_000 });
  by = runtime.as(await runtime.newToken());
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

async function upload(path: string, bytes: Uint8Array | string): Promise<string> {
  const form = new FormData();
  form.set('path', path);
  form.set('file', new Blob([new Uint8Array(Buffer.from(bytes))]));
  const { status, text, body } = await by('POST', '/api/v1/files', { body: form });
  if (status !== 201) throw new Error(text);
  return (body as { id: string }).id;
}
const knowledgeOf = async (id: string) => (await by('GET', `/api/v1/files/${id}/knowledge`)).body as Knowledge;

/** Uses a file as knowledge, and waits until its text has been read. */
async function index(id: string, tags: string[] = []): Promise<Knowledge> {
  const { status, text } = await by('PUT', `/api/v1/files/${id}/knowledge`, { json: { tags } });
  if (status !== 202) throw new Error(text);
  await pollUntil(async () => ['ready', 'failed'].includes((await knowledgeOf(id)).state));
  return knowledgeOf(id);
}
interface Found {
  id: string;
  title: string;
  content: string;
  file?: { id: string; passage: number; page: number | null };
}
const search = async (q: string) =>
  ((await by('GET', `/api/v1/content/search?q=${encodeURIComponent(q)}`)).body as { results: Found[] }).results;
async function passageCount(path: string): Promise<number> {
  const file = await runtime.db.prisma.file.findFirst({ where: { path } });
  return runtime.db.prisma.passage.count({ where: { file_id: file?.id ?? '' } });
}

describe('PUT /files/{file_id}/knowledge', () => {
  it('makes the passages of a PDF searchable, even by misspelt words; each passage names file and page, and can be read by its id', async () => {
    const id = await upload(
      'rules/handbook.pdf',
      pdfOf([['Parcels take two days.'], ['A quagmire delays shipments to Reykjavik.']]),
    );
    expect(await index(id, ['rules'])).toMatchObject({ state: 'ready', passages: 1, failure: null });
    const [first] = await search('quagmyre shipments');
    expect(first).toMatchObject({
      title: 'handbook.pdf',
      source: 'files',
      kind: 'passage',
      tags: ['rules'],
      file: { id, passage: 1, page: 1 },
    });
    const opened = await by('GET', `/api/v1/content/${String(first?.id)}`);
    expect(opened.body).toMatchObject({
      content: 'Parcels take two days.\n\nA quagmire delays shipments to Reykjavik.',
      file: { id },
    });
    const foreign = runtime.as(await runtime.newToken({ project: 'Commerce' }));
    expect((await foreign('GET', `/api/v1/content/${String(first?.id)}`)).status).toBe(404);
  });

  it("adds passages about the message, with addresses for citations, to the messages of an agent that has one of the file's tags", async () => {
    const id = await upload(
      'warranty.md',
      '# Mills\n\nThe zephyr mill has a warranty of seven years.\n\n# Else\n\nNothing of it.',
    );
    await index(id, ['mills']);
    await runtime.newAgent({ name: 'Miller', content_tags: ['mills'] });
    await runtime.newAgent({ name: 'Other', content_tags: ['none'] });
    const sent = async (agent: string) => {
      model.requests.splice(0);
      await by('POST', `/api/v1/agents/${agent}/messages`, {
        json: { content: 'How long is the warranty of the zephyr mill?' },
      });
      return JSON.stringify(model.requests[0]?.body.messages);
    };
    const [passage] = await search('zephyr');
    expect(await sent('miller')).toContain(
      `warranty.md › Mills\\" (${BASE_URL}/chat/passages/${String(passage?.id)}):\\nThe zephyr mill`,
    );
    expect(await sent('other')).not.toContain('zephyr mill has');
  });

  it('replaces the passages and their tags when it is repeated', async () => {
    const id = await upload('again.txt', 'The xylophone is in the attic.');
    await index(id, ['one']);
    const [before] = await search('xylophone');
    await index(id, ['two']);
    const after = await search('xylophone');
    expect(after).toMatchObject([{ tags: ['two'] }]);
    expect(after[0]?.id).not.toBe(before?.id);
    await pollUntil(async () => (await passageCount('again.txt')) === 1);
  });

  it('leads to the state failed for a file whose format is not supported; the message lists the supported formats', async () => {
    const id = await upload('picture.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff]));
    expect(await index(id)).toMatchObject({ state: 'failed', passages: 0, failure: { code: 'unsupported' } });
    expect((await knowledgeOf(id)).failure?.message).toContain('Upload PDF, DOCX');
  });

  it("leads to the state failed, and leaves no passages, when the project's quota for content is used up", async () => {
    const id = await upload(
      'much.txt',
      Array.from({ length: 3_000 }, (_, n) => `Verbose paragraph ${n}.`).join('\n\n'),
    );
    const limit = (rows: number) =>
      runtime.db.transaction((tx) => setQuota(tx, 'content', { rows, bytes: 1_000_000_000 }, 'Core'));
    await limit(20);
    expect(await index(id)).toMatchObject({ state: 'failed', failure: { code: 'quota' } });
    await pollUntil(async () => (await passageCount('much.txt')) === 0);
    await limit(200_000);
    expect((await index(id)).passages).toBeGreaterThan(20);
    expect(await readQuotaDrift(database.url)).toEqual([]);
  });

  it('is completed by another process when the process that was reading the file has died', async () => {
    const id = await upload('gone.txt', 'The obelisk stands in the park.');
    const uuid = (await runtime.db.prisma.file.findFirstOrThrow({ where: { path: 'gone.txt' } })).id;
    await runtime.db.prisma.fileKnowledge.create({
      data: {
        file_id: uuid,
        project: 'Core',
        tags: [],
        state: 'indexing',
        tries: 1,
        created_by: runtime.owner.id,
        next_at: new Date(0),
      },
    });
    await pollUntil(async () => (await knowledgeOf(id)).state === 'ready');
    expect(await search('obelisk')).toHaveLength(1);
  });

  it('answers 403 without the scope files:read, even with content:read and content:write, and records the refusal', async () => {
    const id = await upload('secret.txt', 'Not for everyone.');
    const writer = runtime.as(await runtime.newToken({ scopes: ['content:write', 'content:read'] }));
    expect((await writer('PUT', `/api/v1/files/${id}/knowledge`, { json: {} })).status).toBe(403);
    const where = { action: 'knowledge.put', resource: id, decision: 'deny' };
    expect(await runtime.db.prisma.governanceDecision.count({ where })).toBe(1);
  });

  it('answers 400 for a file of more than 20 MiB', async () => {
    const id = await upload('large.txt', 'x');
    await runtime.db.prisma.file.updateMany({ where: { path: 'large.txt' }, data: { size: 21 * 1_048_576 } });
    const { status, text } = await by('PUT', `/api/v1/files/${id}/knowledge`, { json: {} });
    expect([status, text.includes('more than 20 MiB')]).toEqual([400, true]);
  });

  it('answers 404 for a file of another project', async () => {
    const foreign = runtime.as(await runtime.newToken({ project: 'Commerce' }));
    const id = await upload('ours.txt', 'x');
    for (const method of ['GET', 'PUT', 'DELETE'] as const)
      expect(
        (await foreign(method, `/api/v1/files/${id}/knowledge`, method === 'PUT' ? { json: {} } : {})).status,
      ).toBe(404);
  });
});

describe('GET /knowledge', () => {
  it('lists the files that are used as knowledge, newest first, with their states', async () => {
    const id = await upload('listed.txt', 'Listed.');
    await index(id);
    const { body } = await by('GET', '/api/v1/knowledge?limit=1');
    expect(body).toMatchObject({ items: [{ file_id: id, path: 'listed.txt', state: 'ready', passages: 1 }], limit: 1 });
  });
});

describe('the passages of a file', () => {
  it.each(['knowledge', ''])('are removed from search and quota after DELETE /files/{file_id}/%s', async (part) => {
    const path = `gone-${part}.txt`;
    const id = await upload(path, 'The marmalade is on the shelf.');
    await index(id);
    expect(await search('marmalade')).toHaveLength(1);
    const { status } = await by('DELETE', `/api/v1/files/${id}${part && `/${part}`}`);
    expect(status).toBe(part ? 204 : 200);
    expect(await search('marmalade')).toEqual([]);
    expect((await by('GET', `/api/v1/files/${id}/knowledge`)).status).toBe(404);
    expect(await readQuotaDrift(database.url)).toEqual([]);
  });
});

describe('a file with nearly as many passages as a file may have, all of different words', () => {
  it('is indexed, indexed again, and removed from search immediately when its knowledge or the file is deleted', async () => {
    let seed = 1;
    const letter = () => String.fromCharCode(97 + ((seed = (seed * 48_271) % 2_147_483_647) % 26));
    const word = () => Array.from({ length: 10 }, letter).join('');
    const paragraph = () => Array.from({ length: 100 }, word).join(' ');
    const id = await upload('large.txt', `zeppelin ${Array.from({ length: 590 }, paragraph).join('\n\n')}`);
    for (let count = 0; count < 2; count += 1)
      expect(await index(id)).toMatchObject({ state: 'ready', passages: 590, failure: null });
    expect(await search('zeppelin')).toHaveLength(1);
    // Slows down the deletion of rows: all rows then take three seconds, which is longer than the time limit of a statement.
    await runtime.db.prisma.$executeRaw`
      CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.005); RETURN OLD; END'`;
    await runtime.db.prisma.$executeRaw`
      CREATE TRIGGER slow BEFORE DELETE ON passages FOR EACH ROW EXECUTE FUNCTION slow()`;
    const cited = await search('zeppelin');
    expect((await by('DELETE', `/api/v1/files/${id}/knowledge`)).status).toBe(204);
    expect(await search('zeppelin')).toEqual([]);
    expect((await by('GET', `/api/v1/content/${String(cited[0]?.id)}`)).status).toBe(404);
    // The file is used as knowledge again before the rows of its earlier passages are deleted.
    expect(await index(id)).toMatchObject({ state: 'ready', passages: 590 });
    expect(await search('zeppelin')).toHaveLength(1);
    expect((await by('DELETE', `/api/v1/files/${id}`)).status).toBe(200);
    expect(await search('zeppelin')).toEqual([]);
    await pollUntil(async () => (await runtime.db.prisma.deletedKnowledge.count()) === 0);
    expect(await runtime.db.prisma.passage.count({ where: { file_id: decodeId('fl', id) ?? '' } })).toBe(0);
    expect(await readQuotaDrift(database.url)).toEqual([]);
  });
});

describe('files that wait to be indexed', () => {
  it('are limited to 100 per project, and do not delay the files of another project', async () => {
    const { db, owner } = runtime;
    const files = Array.from({ length: 100 }, (_, n) => ({ id: newId(), path: `waits/${n}` }));
    const common = { size: 1, content_type: 'text/plain', sha256: Buffer.alloc(32), created_by: owner.id };
    await db.prisma.file.createMany({
      data: files.map((file) => ({ ...file, ...common, project: 'Commerce' as const })),
    });
    await db.prisma.fileKnowledge.createMany({
      data: files.map(({ id }) => ({
        ...{
          file_id: id,
          project: 'Commerce' as const,
          created_by: owner.id,
          next_at: new Date(Date.now() + 3_600_000),
        },
      })),
    });
    const other = newId();
    await db.prisma.file.create({ data: { id: other, path: 'one-more', ...common, project: 'Commerce' } });
    const commerce = runtime.as(await runtime.newToken({ project: 'Commerce' }));
    const put = (id: string) =>
      commerce('PUT', `/api/v1/files/${encodeId('fl', id)}/knowledge`, { json: { tags: [] } });
    expect((await put(other)).status).toBe(409);
    expect((await put(files[0]?.id ?? '')).status).toBe(202);
    expect(await index(await upload('own.txt', 'A file of another project.'))).toMatchObject({ state: 'ready' });
    await db.prisma.file.deleteMany({ where: { project: 'Commerce' } });
  });
});
