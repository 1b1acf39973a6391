import type { IncomingMessage, ServerResponse } from 'node:http';
import { decodeId, newId } from '@millwright/db';
import { readQuotaDrift, setQuota } from '@millwright/db/quotas';
import { buildExtractWorker } from '@millwright/documents/build-worker';
import { docxOf, pdfOf } from '@millwright/documents/test-documents';
import {
  createFakeModel,
  createTestDatabase,
  listen,
  type FakeModel,
  type HttpClient,
  type ListeningApp,
  type TestDatabase,
} from '@millwright/testing';
import { BASE_URL, startRuntime, type TestRuntime } from '../test-runtime.js';
import { pollUntil } from '../triggers/test-triggers.js';
import type { KnowledgeSource } from './knowledge-sources.contract.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let by: HttpClient;
let site: ListeningApp;
let pages: Map<string, Answer>;
let asked: string[];

beforeAll(async () => {
  await buildExtractWorker();
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  site = await listen((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const answer = pages.get(path);
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  runtime = await startRuntime(database.url, model.url);
  by = runtime.as(await runtime.newToken());
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close(), site.close()]);
});
beforeEach(async () => {
  pages = new Map();
  asked = [];
  await runtime.db.prisma.knowledgeSource.deleteMany();
});

const PATH = '/api/v1/knowledge-sources';
const serve = (path: string, type: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  pages.set(path, (_request, response) => response.writeHead(200, { 'content-type': type, ...headers }).end(body));

/** Serves a page with an ETag, and answers 304 to requests that send this ETag. */
const serveTagged = (path: string, etag: string, body: string) =>
  pages.set(path, (request, response) => {
    if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(200, { 'content-type': 'text/html', etag }).end(body);
  });

async function create(path: string, changes: object = {}): Promise<KnowledgeSource> {
  const json = { name: 'Rules', url: site.url + path, ...changes };
  const { status, text, body } = await by('POST', PATH, { json });
  if (status !== 201) throw new Error(text);
  return body as KnowledgeSource;
}
const read = async (id: string) => (await by('GET', `${PATH}/${id}`)).body as KnowledgeSource;
const ended = ({ id }: { id: string }): Promise<KnowledgeSource> =>
  pollUntil(async () => {
    const source = await read(id);
    return (source.state === 'ready' || source.state === 'failed') && source;
  });
const fetched = async (path: string, changes: object = {}) => ended(await create(path, changes));
async function refreshed({ id }: { id: string }): Promise<KnowledgeSource> {
  const { status, text } = await by('POST', `${PATH}/${id}/refresh`);
  if (status !== 202) throw new Error(text);
  return ended({ id });
}
const uuidOf = ({ id }: { id: string }) => decodeId('kns', id) ?? '';
const rowOf = (source: { id: string }) =>
  runtime.db.prisma.knowledgeSource.findUniqueOrThrow({ where: { id: uuidOf(source) } });
const setRow = (source: { id: string }, data: object) =>
  runtime.db.prisma.knowledgeSource.update({ where: { id: uuidOf(source) }, data });

interface Found {
  id: string;
  title: string;
  tags: string[];
  file?: object;
  knowledge_source?: { id: string; url: string };
}
const search = async (q: string) =>
  ((await by('GET', `/api/v1/content/search?q=${encodeURIComponent(q)}`)).body as { results: Found[] }).results;
const decisions = async (action: string) => {
  const rows = await runtime.db.prisma.governanceDecision.findMany({ where: { action }, orderBy: { seq: 'asc' } });
  return rows.map(({ resource, project, detail }) => ({ resource, project, detail }));
};

describe('POST /knowledge-sources', () => {
  it('fetches the page and makes its passages searchable; each passage names the source and its URL, and can be read by its id', async () => {
    serve('/rules', 'text/html; charset=utf-8', '<h1>Mills</h1><script>x</script><p>The zephyr mill grinds at night.');
    const source = await fetched('/rules#part', { tags: ['rules'] });
    expect(source).toMatchObject({
      ...{ name: 'Rules', url: `${site.url}/rules`, tags: ['rules'], schedule: null, timezone: 'UTC' },
      ...{ state: 'ready', failure: null, passages: 1, next_fetch_at: null, version: 1 },
    });
    expect(Date.parse(source.last_fetched_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
    const [found] = await search('zephyr');
    const origin = { id: source.id, name: 'Rules', url: `${site.url}/rules`, passage: 1, page: null };
    expect(found).toMatchObject({ title: 'Rules › Mills', tags: ['rules'], kind: 'passage', knowledge_source: origin });
    expect(found).not.toHaveProperty('file');
    const opened = await by('GET', `/api/v1/content/${String(found?.id)}`);
    expect(opened.body).toMatchObject({ content: 'The zephyr mill grinds at night.', knowledge_source: origin });
    expect(await decisions('knowledge_source.create')).toContainEqual({
      ...{ resource: source.id, project: 'Core' },
      detail: { name: 'Rules', url: `${site.url}/rules`, tags: ['rules'], schedule: null, timezone: 'UTC' },
    });
    const foreign = runtime.as(await runtime.newToken({ project: 'Commerce' }));
    expect((await foreign('GET', `/api/v1/content/${String(found?.id)}`)).status).toBe(404);
  });

  it('reads Markdown, plain text, PDF and DOCX', async () => {
    serve('/a.md', 'text/markdown', '# Alpha\n\nThe aardvark digs.');
    serve('/b', 'text/plain', 'The bandicoot sleeps.');
    serve('/c', 'application/pdf', pdfOf([['Nothing.'], ['The capybara swims.']]));
    serve('/d.docx', 'application/octet-stream', docxOf('<w:p><w:r><w:t>The dormouse hides.</w:t></w:r></w:p>'));
    const sources = await Promise.all(['/a.md', '/b', '/c', '/d.docx'].map((path) => fetched(path)));
    expect(sources.map(({ state, failure }) => failure?.code ?? state)).toEqual(['ready', 'ready', 'ready', 'ready']);
    for (const [index, word] of ['aardvark', 'bandicoot', 'capybara', 'dormouse'].entries())
      expect((await search(word))[0]?.knowledge_source?.id).toBe(sources[index]?.id);
  });

  it("adds passages, with addresses for citations, to the messages of an agent that has one of the source's tags, and taints the run", async () => {
    serve('/warranty', 'text/html', '<p>The tornado mill has a warranty of nine years.');
    await fetched('/warranty', { tags: ['warranties'] });
    await runtime.newAgent({ name: 'Clerk', content_tags: ['warranties'] });
    model.requests.splice(0);
    await by('POST', '/api/v1/agents/clerk/messages', { json: { content: 'How long is the tornado warranty?' } });
    const [passage] = await search('tornado');
    expect(JSON.stringify(model.requests[0]?.body.messages)).toContain(
      `${BASE_URL}/chat/passages/${String(passage?.id)}`,
    );
    const last = await runtime.db.prisma.contextMessage.findFirst({
      where: { role: 'assistant' },
      orderBy: { seq: 'desc' },
    });
    expect(last?.untrusted).toBe(true);
  });

  it.each([
    ['ftp://example.com/', 'https'],
    ['https://ada:hunter2@example.com/', 'user or password'],
    ['http://10.0.0.1/', 'not a public one'],
    ['http://169.254.169.254/latest', 'not a public one'],
    ['rules', 'not an absolute URL'],
    [`https://example.com/${'ü'.repeat(1_000)}`, 'too long'],
  ])('refuses the URL %.40s', async (url, reason) => {
    const { status, text } = await by('POST', PATH, { json: { name: 'x', url } });
    expect([status, text.includes('"url"'), text.includes(reason)]).toEqual([400, true, true]);
    expect(text).not.toContain('hunter2');
  });

  it.each([
    ['schedule', '*/10 * * * *', '15 minutes'],
    ['schedule', 'daily', 'five fields'],
    ['timezone', 'Mars/Olympus', 'IANA'],
    ['name', 'a\u202eb', 'control'],
    ['tags', ['a', 'a'], 'twice'],
  ])('refuses the %s %j', async (field, value, reason) => {
    const json = { name: 'x', url: `${site.url}/x`, [field]: value };
    const { status, text } = await by('POST', PATH, { json });
    expect([status, text.includes(`"${field}"`), text.includes(reason)]).toEqual([400, true, true]);
  });

  it('answers 409 and names the field url when the project has a source with this URL; another project may use the same URL', async () => {
    const { id } = await create('/twice');
    const { status, text } = await by('POST', PATH, { json: { name: 'Again', url: `${site.url}/twice` } });
    expect([status, text.includes('"url"')]).toEqual([409, true]);
    const foreign = runtime.as(await runtime.newToken({ project: 'Commerce' }));
    expect((await foreign('POST', PATH, { json: { name: 'x', url: `${site.url}/twice` } })).status).toBe(201);
    expect((await foreign('GET', `${PATH}/${id}`)).status).toBe(404);
  });

  it('answers 403 when the project already has 100 sources', async () => {
    const row = (n: number) => ({
      ...{ id: newId(), project: 'Core', name: 'x', url: `${site.url}/many/${n}`, tags: [], attempt: 1 },
      ...{ state: 'ready', next_at: null, created_by: runtime.owner.id },
    });
    await runtime.db.prisma.knowledgeSource.createMany({ data: Array.from({ length: 100 }, (_, n) => row(n)) });
    const { status, text } = await by('POST', PATH, { json: { name: 'x', url: `${site.url}/more` } });
    expect([status, text.includes('knowledge_sources')]).toEqual([403, true]);
    const { body } = await by('GET', `${PATH}?limit=7`);
    expect(body).toMatchObject({ total: 100, limit: 7 });
  });
});

describe('a fetch that returns no text', () => {
  it.each<[string, string, Answer | undefined]>([
    ['status', 'no document at the address (status 404)', undefined],
    [
      'type',
      'type is not supported',
      (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(),
    ],
    [
      'refused',
      'not allowed',
      (_request, response) => response.writeHead(302, { location: 'http://192.168.0.1/' }).end(),
    ],
    ['redirects', 'more than 5 times', (_request, response) => response.writeHead(302, { location: '/bad' }).end()],
    ['no_text', 'no text', (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')],
    [
      'damaged',
      'damaged',
      (_request, response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7 nothing'),
    ],
    [
      'too_complex',
      'time or memory',
      (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<div>'.repeat(200_000)),
    ],
    [
      'unsupported',
      'not what the server calls them',
      (_request, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(Buffer.from([0xff, 0, 1])),
    ],
  ])('stores the failure %s with a message for people, and is not repeated', async (code, words, answer) => {
    if (answer) pages.set('/bad', answer);
    const { failure, state, passages, next_fetch_at } = await fetched('/bad');
    expect({ code: failure?.code, state, passages, next_fetch_at }).toEqual({
      ...{ code, state: 'failed', passages: 0, next_fetch_at: null },
    });
    expect(failure?.message).toContain(words);
  });

  it('keeps the passages of the last successful fetch until another fetch succeeds', async () => {
    serve('/kept', 'text/html', '<p>The obsidian mill stands.');
    const source = await fetched('/kept');
    pages.set('/kept', (_request, response) => response.writeHead(410).end());
    expect(await refreshed(source)).toMatchObject({ state: 'failed', passages: 1, failure: { status: 410 } });
    expect(await search('obsidian')).toHaveLength(1);
    serve('/kept', 'application/pdf', '%PDF-1.7 nothing');
    expect(await refreshed(source)).toMatchObject({ state: 'failed', passages: 1, failure: { code: 'damaged' } });
    expect(await search('obsidian')).toHaveLength(1);
    serve('/kept', 'text/html', '<p>The basalt mill stands.');
    expect(await refreshed(source)).toMatchObject({ state: 'ready', passages: 1, failure: null });
    expect(await search('obsidian')).toEqual([]);
    expect(await search('basalt')).toHaveLength(1);
    await pollUntil(async () => (await runtime.db.prisma.passage.count({ where: { file_id: uuidOf(source) } })) === 1);
    expect(await readQuotaDrift(database.url)).toEqual([]);
  });

  it('is repeated after 1, 5 and 15 minutes while the server fails, and then only at the next scheduled time', async () => {
    pages.set('/down', (_request, response) => response.writeHead(503).end());
    const source = await fetched('/down', { schedule: '0 0 1 1 *' });
    const newYear = new Date(Date.UTC(new Date().getUTCFullYear() + 1, 0, 1)).toISOString();
    const pauses: number[] = [];
    for (let next = source.next_fetch_at; next !== newYear && pauses.length < 9;) {
      pauses.push(Math.round((Date.parse(next ?? '') - Date.now()) / 60_000));
      await setRow(source, { next_at: new Date(), state: 'waiting' });
      next = (await ended(source)).next_fetch_at;
    }
    expect(pauses).toEqual([1, 5, 15]);
    expect(asked).toHaveLength(4);
    expect((await rowOf(source)).tries).toBe(0);
  });

  it('is not repeated later than the next scheduled time', async () => {
    pages.set('/down', (_request, response) => response.writeHead(503).end());
    const source = await fetched('/down', { schedule: '*/15 * * * *' });
    await setRow(source, { tries: 2, next_at: new Date(), state: 'waiting' });
    const { next_fetch_at } = await ended(source);
    expect(Date.parse(next_fetch_at ?? '') - Date.now()).toBeLessThanOrEqual(15 * 60_000);
  });
});

describe('a fetch while the quota for content is used up', () => {
  it('fails and leaves no passages', async () => {
    serve('/quota', 'text/html', '<p>The granite mill.');
    const limit = (rows: number) =>
      runtime.db.transaction((tx) => setQuota(tx, 'content', { rows, bytes: 1_000_000_000 }, 'Core'));
    await limit(0);
    const source = await fetched('/quota');
    await limit(200_000);
    expect(source.failure?.code).toBe('quota');
    expect(await runtime.db.prisma.passage.count({ where: { file_id: uuidOf(source) } })).toBe(0);
  });
});

describe('an unchanged document', () => {
  it('is neither sent by its server nor indexed again while its ETag is the same', async () => {
    serveTagged('/tagged', '"one"', '<p>The marble mill.');
    const source = await fetched('/tagged');
    const before = await runtime.db.prisma.passage.findMany({ where: { file_id: uuidOf(source) } });
    await setRow(source, { fetched_at: new Date(0) });
    const again = await refreshed(source);
    expect(again).toMatchObject({ state: 'ready', passages: 1, version: 1 });
    expect(Date.parse(again.last_fetched_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
    expect(asked).toEqual(['/tagged', '/tagged']);
    expect(await runtime.db.prisma.passage.findMany({ where: { file_id: uuidOf(source) } })).toEqual(before);
    serveTagged('/tagged', '"two"', '<p>The slate mill.');
    await refreshed(source);
    expect(await search('marble')).toEqual([]);
    expect(await search('slate')).toHaveLength(1);
  });

  it('is not indexed again when its bytes are the same, whatever the headers are', async () => {
    serve('/same', 'text/html', '<p>The quartz mill.', { etag: '"1"' });
    const source = await fetched('/same');
    const [passage] = await search('quartz');
    serve('/same', 'text/html', '<p>The quartz mill.', { etag: '"2"' });
    await refreshed(source);
    expect((await search('quartz'))[0]?.id).toBe(passage?.id);
    expect((await rowOf(source)).etag).toBe('"2"');
  });
});

describe('PATCH /knowledge-sources/{source_id}', () => {
  it('indexes an unchanged document again under the new name and the new tags of its source', async () => {
    serveTagged('/named', '"one"', '<p>The cobalt mill.');
    const source = await fetched('/named', { tags: ['old'] });
    const { status, body } = await by('PATCH', `${PATH}/${source.id}`, { json: { name: 'Guide', tags: ['new'] } });
    expect([status, body]).toEqual([200, expect.objectContaining({ name: 'Guide', state: 'waiting', version: 2 })]);
    expect(await ended(source)).toMatchObject({ state: 'ready', passages: 1 });
    expect(await search('cobalt')).toMatchObject([{ title: 'Guide', tags: ['new'] }]);
    expect((await decisions('knowledge_source.update')).at(-1)?.detail).toEqual({ fields: ['name', 'tags'] });
  });

  it('removes passages of the former URL from search immediately', async () => {
    serve('/first', 'text/html', '<p>The amber mill.');
    const source = await fetched('/first');
    const [cited] = await search('amber');
    const json = { url: `${site.url}/second` };
    expect((await by('PATCH', `${PATH}/${source.id}`, { json })).body).toMatchObject({
      passages: 0,
      last_fetched_at: null,
    });
    expect(await search('amber')).toEqual([]);
    expect((await by('GET', `/api/v1/content/${String(cited?.id)}`)).status).toBe(404);
    expect(await ended(source)).toMatchObject({ state: 'failed', failure: { status: 404 } });
    serve('/second', 'text/html', '<p>The coral mill.');
    await refreshed(source);
    expect(await search('coral')).toHaveLength(1);
  });

  it('sets and removes the schedule without a fetch', async () => {
    serve('/planned', 'text/html', '<p>Planned.');
    const source = await fetched('/planned');
    const change = async (json: object) =>
      (await by('PATCH', `${PATH}/${source.id}`, { json })).body as KnowledgeSource;
    const { next_fetch_at, state } = await change({ schedule: '0 6 * * *', timezone: 'Asia/Tokyo' });
    expect([new Date(next_fetch_at ?? '').toISOString().slice(11), state]).toEqual(['21:00:00.000Z', 'ready']);
    expect(await change({ schedule: null })).toMatchObject({ next_fetch_at: null, schedule: null });
    expect(asked).toEqual(['/planned']);
  });

  it('accepts the current ETag of the record, and answers 412 to an earlier ETag', async () => {
    const source = await create('/versions');
    const { headers } = await by('GET', `${PATH}/${source.id}`);
    await ended(source);
    const patch = (ifMatch: string, name: string) =>
      by('PATCH', `${PATH}/${source.id}`, { json: { name }, headers: { 'if-match': ifMatch } });
    const etag = headers.get('etag') ?? '';
    expect((await patch(etag, 'One')).status).toBe(200);
    expect((await patch(etag, 'Two')).status).toBe(412);
    const stale = { headers: { 'if-match': etag } };
    expect((await by('DELETE', `${PATH}/${source.id}`, stale)).status).toBe(412);
    expect((await by('GET', `${PATH}/${source.id}`, { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  it('ends a fetch in progress, whose text is then not indexed', async () => {
    let release = () => {};
    pages.set('/slow', (_request, response) => {
      release = () => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>The topaz mill.');
    });
    const source = await create('/slow');
    await pollUntil(() => Promise.resolve(asked.length > 0));
    serve('/slow', 'text/html', '<p>The opal mill.');
    await by('PATCH', `${PATH}/${source.id}`, { json: { name: 'Other' } });
    release();
    await ended(source);
    expect([await search('topaz'), (await search('opal')).length]).toEqual([[], 1]);
  });
});

describe('POST /knowledge-sources/{source_id}/refresh', () => {
  it('requests a fetch and writes an audit row, unless the source already waits for a fetch or is being fetched', async () => {
    const source = await fetched('/nothing');
    const before = (await decisions('knowledge_source.refresh')).length;
    await setRow(source, { state: 'waiting', next_at: new Date(Date.now() + 3_600_000) });
    expect((await by('POST', `${PATH}/${source.id}/refresh`)).body).toMatchObject({ state: 'waiting' });
    expect((await rowOf(source)).next_at?.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
    await setRow(source, { state: 'ready' });
    await refreshed(source);
    expect(await decisions('knowledge_source.refresh')).toHaveLength(before + 1);
  });
});

describe('DELETE /knowledge-sources/{source_id}', () => {
  it('removes the passages from search immediately; their rows and their share of the quota are removed later', async () => {
    serve('/gone', 'text/html', Array.from({ length: 60 }, (_, n) => `<h2>Part ${n}</h2><p>The ivory mill.`).join(''));
    const source = await fetched('/gone');
    expect(source.passages).toBe(60);
    const [cited] = await search('ivory');
    expect((await by('DELETE', `${PATH}/${source.id}`)).status).toBe(204);
    expect(await search('ivory')).toEqual([]);
    expect((await by('GET', `/api/v1/content/${String(cited?.id)}`)).status).toBe(404);
    expect((await by('GET', `${PATH}/${source.id}`)).status).toBe(404);
    await pollUntil(async () => (await runtime.db.prisma.passage.count({ where: { file_id: uuidOf(source) } })) === 0);
    await pollUntil(async () => (await runtime.db.prisma.deletedKnowledge.count()) === 0);
    expect(await readQuotaDrift(database.url)).toEqual([]);
    expect((await decisions('knowledge_source.delete')).at(-1)?.resource).toBe(source.id);
  });
});

describe('several processes that fetch knowledge sources', () => {
  const row = (path: string, changes: object = {}) => ({
    ...{ id: newId(), project: 'Core', name: path, url: site.url + path, tags: [], attempt: 1 },
    ...{ created_by: runtime.owner.id, next_at: new Date(), ...changes },
  });

  it('fetch each source once, and only a few sources of a project at the same time, so that sources of other projects are not delayed', async () => {
    await runtime.start();
    await runtime.start();
    let atOnce = 0;
    let most = 0;
    const answer: Answer = (_request, response) => {
      most = Math.max(most, (atOnce += 1));
      setTimeout(() => {
        atOnce -= 1;
        response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Text.');
      }, 300);
    };
    const paths = Array.from({ length: 12 }, (_, n) => `/crowd/${n}`);
    for (const path of paths) pages.set(path, answer);
    let isOtherServed = false;
    pages.set('/other', (_request, response) => {
      isOtherServed = asked.filter((path) => path.startsWith('/crowd')).length < 12;
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Other.');
    });
    const crowd = paths.map((path) => row(path, { next_at: new Date(0) }));
    await runtime.db.prisma.knowledgeSource.createMany({ data: [...crowd, row('/other', { project: 'Commerce' })] });
    const isReady = { state: 'ready' };
    await pollUntil(async () => (await runtime.db.prisma.knowledgeSource.count({ where: isReady })) === 13);
    expect([...asked].sort()).toEqual([...paths, '/other'].sort());
    // The limit is two. Processes that claim sources at the same moment may together exceed it.
    expect(most).toBeLessThanOrEqual(4);
    expect(isOtherServed).toBe(true);
  });

  it('continue the fetch of a process that died, and give up a source after five attempts in which the process died', async () => {
    serve('/dead', 'text/html', '<p>The pewter mill.');
    const taken = { state: 'fetching', next_at: new Date(Date.now() - 1) };
    const [dead, deadly] = [row('/dead', { ...taken, tries: 1 }), row('/deadly', { ...taken, tries: 5 })];
    await runtime.db.prisma.knowledgeSource.createMany({ data: [dead, deadly] });
    const find = (id: string) => runtime.db.prisma.knowledgeSource.findUniqueOrThrow({ where: { id } });
    await pollUntil(async () => (await find(dead.id)).state === 'ready' && (await find(deadly.id)).state === 'failed');
    expect(await find(deadly.id)).toMatchObject({ failure: 'interrupted', tries: 0, next_at: null });
    expect(asked).toEqual(['/dead']);
    expect(await search('pewter')).toHaveLength(1);
  });

  it('fetch a source only when it is due, and then set its next time by its schedule and time zone', async () => {
    serve('/clock', 'text/html', '<p>Clock.');
    const schedule = { schedule: '30 3 * * *', timezone: 'Asia/Kolkata', state: 'ready' };
    const later = row('/later', { ...schedule, next_at: new Date(Date.now() + 3_600_000) });
    const due = row('/clock', schedule);
    await runtime.db.prisma.knowledgeSource.createMany({ data: [later, due] });
    const find = (id: string) => runtime.db.prisma.knowledgeSource.findUniqueOrThrow({ where: { id } });
    await pollUntil(async () => (await find(due.id)).fetched_at !== null);
    expect((await find(due.id)).next_at?.toISOString().slice(11)).toBe('22:00:00.000Z');
    expect(asked).toEqual(['/clock']);
  });
});
