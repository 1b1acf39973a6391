import { encodeId, newId } from '@millwright/db';
import {
  createFakeModel,
  createTestDatabase,
  listen,
  type FakeModel,
  type HttpClient,
  type ListeningApp,
  type TestDatabase,
} from '@millwright/testing';
import { agentIdOf, BASE_URL, startRuntime, type TestRuntime } from '../test-runtime.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let upstream: ListeningApp;
let by: HttpClient;
let asked: string[];

const DOCUMENTS: Record<string, [number, string]> = {
  '/rates': [200, '{"EUR":1.1,"CHF":1.05}'],
  '/page': [200, '<html>hunter2</html>'],
  '/broken': [500, '{"secret":"hunter2"}'],
  '/flood': [200, `"${'x'.repeat(300_000)}"`],
  '/long': [200, `"${'y'.repeat(60_000)}"`],
};

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  upstream = await listen((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim());
    const [status, body] = DOCUMENTS[request.url ?? ''] ?? [404, ''];
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  runtime = await startRuntime(database.url, model.url);
  by = runtime.as(await runtime.newToken());
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close(), upstream.close()]);
});
beforeEach(() => {
  asked = [];
  model.requests.splice(0);
});

let agents = 0;
const newAgent = async (content_tags: string[] = []) => {
  const name = `Reader${(agents += 1)}`;
  await runtime.newAgent({ name, content_tags });
  return name.toLowerCase();
};
const newItem = (title: string, body: string, tags: string[], over: object = {}) =>
  runtime.db.prisma.contentItem.create({
    data: { id: newId(), project: 'Core', title, body, tags, slug: newId(), created_by: runtime.owner.id, ...over },
  });
async function messagesOf(agent: string, content: string) {
  const { status, text } = await by('POST', `/api/v1/agents/${agent}/messages`, { json: { content } });
  if (status !== 200) throw new Error(text);
  return (model.requests.at(-1)?.body.messages ?? []).map((message) => ({
    ...message,
    content: String(message.content),
  }));
}
const systemMessage = async (agent: string, content: string) => (await messagesOf(agent, content))[0]?.content ?? '';
/** Returns the message with the knowledge that the model read; empty when there was none. */
async function knowledgeMessage(agent: string, content: string): Promise<string> {
  const [, ...others] = await messagesOf(agent, content);
  return others.length === 2 ? (others[0]?.content ?? '') : '';
}
const source = (agent: string, path: string, over: object = {}) =>
  runtime.newPlugin({
    name: `Source ${newId()}`,
    type: 'data_source',
    config: { url: upstream.url + path },
    agent,
    ...over,
  });

describe('knowledge from content', () => {
  const tag = 'handbook';
  beforeAll(async () => {
    await newItem('Refunds', 'A refund is paid within 14 days.', [tag]);
    await newItem('Shipping', 'Parcels to Iceland take nine days.', [tag, 'other']);
    await newItem('Untagged refund', 'Refunds of no tag.', []);
    await newItem('Hidden refund', 'Refunds of an inactive item.', [tag], { status: 'inactive' });
    await newItem('Foreign refund', 'Refunds of another project.', [tag], { project: 'Commerce' });
    const filler = Array.from({ length: 3_000 }, (_, n) => `Paragraph ${n} tells of nothing.`);
    filler.splice(2_000, 0, 'The warranty of a mill lasts seven years.');
    await newItem('Warranties', filler.join(' '), [tag]);
  });

  it('contains only content that matches the message and has a tag of the agent; each item has its title and address', async () => {
    const known = await knowledgeMessage(await newAgent([tag]), 'When are refunds paid?');
    const { id } = await runtime.db.prisma.contentItem.findFirstOrThrow({ where: { title: 'Refunds' } });
    const url = `${BASE_URL}/chat/passages/${encodeId('ct', id)}`;
    expect(known).toContain(`"Refunds" (${url}):\nA refund is paid within 14 days.`);
    for (const other of ['Iceland', 'no tag', 'inactive item', 'another project']) expect(known).not.toContain(other);
  });

  it('taints the run that reads it: the answer is marked, and the audit row of a later tool call names knowledge as the source', async () => {
    const agent = await newAgent([tag]);
    model.answerWith(() =>
      model.requests.length === 1
        ? { toolCalls: [{ id: 'a', type: 'function', function: { name: 'unknown', arguments: '{}' } }] }
        : 'Within 14 days.',
    );
    await messagesOf(agent, 'When are refunds paid?');
    model.answerWith({});
    const rows = await runtime.db.prisma.contextMessage.findMany({
      where: { context: { agent_id: await agentIdOf(runtime, agent) } },
      orderBy: { seq: 'asc' },
    });
    expect(rows.map(({ role, untrusted }) => [role, untrusted])).toEqual([
      ['user', null],
      ['assistant', true],
      ['tool', false],
      ['assistant', true],
    ]);
    const recorded = { action: 'tool.call', detail: { path: ['tainted_by'], equals: ['knowledge'] } };
    expect(await runtime.db.prisma.governanceDecision.count({ where: recorded })).toBe(1);
  });

  it("is placed outside the system message and before the user's message, between marks that no author can guess", async () => {
    const agent = await newAgent([tag]);
    const marks: string[] = [];
    for (let n = 0; n < 2; n++) {
      const [system, knowledge, message] = await messagesOf(agent, 'When are refunds paid?');
      const mark = /^<knowledge ([0-9a-f]{24})>\n/.exec(knowledge?.content ?? '')?.[1] ?? '';
      expect([system?.role, knowledge?.role, message?.role]).toEqual(['system', 'user', 'user']);
      expect(message?.content).toBe('When are refunds paid?');
      expect(knowledge?.content).toMatch(new RegExp(`\n</knowledge ${mark}>$`));
      expect(system?.content).toContain(`<knowledge ${mark}> and </knowledge ${mark}>`);
      expect(system?.content).not.toContain('14 days');
      marks.push(mark);
    }
    expect(new Set(marks).size).toBe(2);
  });

  it('contains only the passages about the message when the text is long', async () => {
    const known = await knowledgeMessage(await newAgent([tag]), 'How long is the warranty of a mill?');
    expect(known).toContain('The warranty of a mill lasts seven years.');
    expect(known.length).toBeLessThan(10_000);
  });

  it.each(['What else?', '!!! ???', "it's & | ! ( ) : * \\ 'quoted'", 'refund:* & !shipping', '\u{1F98A}'])(
    'does not make the run fail for the message %s',
    async (question) => {
      expect(await systemMessage(await newAgent([tag]), question)).toContain('You are Reader');
    },
  );

  it('is empty for an agent without tags', async () => {
    expect(await knowledgeMessage(await newAgent(), 'When are refunds paid?')).toBe('');
  });
});

describe('knowledge from a data source', () => {
  it('contains the document of the source, fetched with the secret headers and at most once a minute', async () => {
    const agent = await newAgent();
    await source(agent, '/rates', {
      name: 'Rates',
      config: { url: `${upstream.url}/rates`, headers: { Authorization: '********' } },
      secrets: [{ path: ['headers', 'Authorization'], value: 'Bearer hunter2' }],
    });
    for (let n = 0; n < 3; n++)
      expect(await knowledgeMessage(agent, 'Hi')).toContain('"Rates":\n{"EUR":1.1,"CHF":1.05}');
    expect(asked).toEqual(['GET /rates Bearer hunter2']);
  });

  it.each(['/page', '/broken', '/flood', '/nowhere'])('is replaced by a note when %s cannot be read', async (path) => {
    const agent = await newAgent();
    await source(agent, path);
    const known = await knowledgeMessage(agent, 'Hi');
    expect(known).toContain('This source could not be read.');
    expect(known).not.toContain('hunter2');
  });

  it("is cut to the part of the model's window that is still free", async () => {
    const agent = await newAgent();
    await source(agent, '/long');
    const known = await knowledgeMessage(agent, 'Hi');
    expect(known.length).toBeLessThan(25_000);
    expect(known).toMatch(/y …\n\n<\/knowledge [0-9a-f]{24}>$/);
  });

  it('is not fetched for an inactive plugin', async () => {
    const agent = await newAgent();
    await source(agent, '/rates', { status: 'inactive' });
    expect(await knowledgeMessage(agent, 'Hi')).toBe('');
    expect(asked).toEqual([]);
  });
});
