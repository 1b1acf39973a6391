import { newId } from '@millwright/db';
import { GUARDS } from '@millwright/guards';
import OpenAI from 'openai';
import { startTestApp, type TestApp } from '../test-app.js';

let app: TestApp;
let openai: OpenAI;
const model = 'fake-model';
beforeAll(async () => {
  app = await startTestApp();
  openai = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: await app.issueKey(), maxRetries: 0 });
});
afterAll(() => app.close());
beforeEach(() => app.model.answerWith('Good.'));

const says = (content: string) => ({ type: 'message' as const, role: 'user' as const, content });

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const pictured = (image_url: string) => ({
  type: 'message' as const,
  role: 'user' as const,
  content: [
    { type: 'input_text' as const, text: 'What is' },
    { type: 'input_image' as const, image_url, detail: 'low' as const },
  ],
});

async function textsOf(id: string): Promise<string[]> {
  const texts: string[] = [];
  for await (const item of openai.conversations.items.list(id, { order: 'asc', limit: 2 }))
    texts.push(JSON.stringify(item));
  return texts;
}

async function bytesOfProject(): Promise<number> {
  const [sum] = await app.db.prisma.$queryRaw<{ bytes: number }[]>`
    SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM quota_usage WHERE project = 'Core' AND kind = 'conversations'`;
  return sum?.bytes ?? 0;
}

describe('the Conversations API', () => {
  it('creates a conversation with items, continues the conversation with responses, and deletes it', async () => {
    const made = await openai.conversations.create({ items: [says('One')] });
    expect(made).toMatchObject({ object: 'conversation', metadata: {} });
    expect(await openai.conversations.retrieve(made.id)).toEqual(made);
    await openai.responses.create({ model, input: 'Two', conversation: made.id });
    expect(app.model.requests.at(-1)?.body.messages.map(({ content }) => content)).toEqual(['One', 'Two']);
    const texts = await textsOf(made.id);
    expect(texts.map((text) => /One|Two|Good/.exec(text)?.[0])).toEqual(['One', 'Two', 'Good']);
    expect(await openai.conversations.delete(made.id)).toMatchObject({ id: made.id, deleted: true });
    await expect(openai.conversations.retrieve(made.id)).rejects.toMatchObject({ status: 404 });
    await expect(openai.conversations.items.list(made.id)).rejects.toMatchObject({ status: 404 });
  });

  it('adds items, including calls of functions, and returns each item by its id', async () => {
    const { id } = await openai.conversations.create();
    const call = { type: 'function_call' as const, call_id: 'call_1', name: 'weather', arguments: '{}' };
    const output = { type: 'function_call_output' as const, call_id: 'call_1', output: 'rain' };
    const { data } = await openai.conversations.items.create(id, { items: [says('Weather?'), call, output] });
    expect(data.map(({ type }) => type)).toEqual(['message', 'function_call', 'function_call_output']);
    for (const item of data)
      expect(await openai.conversations.items.retrieve(item.id ?? '', { conversation_id: id })).toEqual(item);
    const missing = openai.conversations.items.retrieve(`msg_${'0'.repeat(22)}`, { conversation_id: id });
    await expect(missing).rejects.toMatchObject({ status: 404 });
  });

  it('lists 11 MB of items in pages of at most 8 MiB plus one item, each item once', async () => {
    const made = await openai.conversations.create({ items: Array.from({ length: 12 }, (_, n) => says(`${n}.`)) });
    await app.db.prisma.$executeRaw`
      UPDATE conversation_messages SET content = content || repeat('x', 900000) WHERE conversation_id = ${made.id}::uuid`;
    const seen: string[] = [];
    let after: string | null = null;
    for (let hasMore = true; hasMore;) {
      const path: string = `/v1/conversations/${made.id}/items?limit=100&order=asc${after === null ? '' : `&after=${after}`}`;
      const page = await app.call<{ data: unknown[]; last_id: string; has_more: boolean }>('GET', path);
      expect(page.text.length).toBeLessThan(9_500_000);
      seen.push(...page.body.data.map((item) => /"text":"(\d+)\./.exec(JSON.stringify(item))?.[1] ?? ''));
      ({ last_id: after, has_more: hasMore } = page.body);
    }
    expect(seen).toEqual(Array.from({ length: 12 }, (_, n) => String(n)));
  });

  it('stores the metadata of a client; an update replaces all of the metadata', async () => {
    const { id, metadata } = await openai.conversations.create({ metadata: { topic: 'mills', kind: 'water' } });
    expect(metadata).toEqual({ topic: 'mills', kind: 'water' });
    expect(await openai.conversations.update(id, { metadata: { topic: 'wind' } })).toMatchObject({
      metadata: { topic: 'wind' },
    });
    expect((await openai.conversations.retrieve(id)).metadata).toEqual({ topic: 'wind' });
    const key = await app.issueKey({ project: 'Commerce' });
    const body = { metadata: {} };
    expect((await app.call('POST', `/v1/conversations/${id}`, { key, body })).status).toBe(404);
  });

  it('stores and returns the address of an image', async () => {
    const { id } = await openai.conversations.create({ items: [pictured('https://example.com/a.png')] });
    const [item] = (await openai.conversations.items.list(id)).data;
    expect(JSON.stringify(item)).toContain('"image_url":"https://example.com/a.png"');
  });

  it('stores and returns images with their message, and adds their bytes to the stored bytes of the project', async () => {
    const before = await bytesOfProject();
    const { id } = await openai.conversations.create({ items: [pictured(PIXEL)] });
    const [item] = (await openai.conversations.items.list(id)).data;
    expect(item).toMatchObject({
      content: [
        { type: 'input_text', text: 'What is' },
        { type: 'input_image', image_url: PIXEL, detail: 'low' },
      ],
    });
    expect((await bytesOfProject()) - before).toBeGreaterThan(PIXEL.length);
  });

  it('deletes a function call but not its message, and does not reuse the position of a deleted last message', async () => {
    const calls = ['call_1', 'call_2'].map((call_id) => ({
      ...{ type: 'function_call' as const, call_id, name: 'weather', arguments: '{}' },
    }));
    const { id } = await openai.conversations.create({ items: [says('Weather?'), ...calls] });
    const ids = async () =>
      (await openai.conversations.items.list(id, { order: 'asc' })).data.map((item) => item.id ?? '');
    const [asked = '', first = '', second = ''] = await ids();
    await openai.conversations.items.delete(first, { conversation_id: id });
    expect(await ids()).toEqual([asked, second]);
    expect(await openai.conversations.items.retrieve(second, { conversation_id: id })).toMatchObject({
      call_id: 'call_2',
    });
    await openai.conversations.items.delete(second, { conversation_id: id });
    expect(await ids()).toEqual([asked]);
    const again = openai.conversations.items.delete(second, { conversation_id: id });
    await expect(again).rejects.toMatchObject({ status: 404 });
    await openai.conversations.items.create(id, { items: [says('Wind?')] });
    const places = await app.db.prisma.conversationMessage.findMany({
      ...{ where: { conversation_id: id }, orderBy: { seq: 'asc' }, select: { seq: true } },
    });
    expect(places.map(({ seq }) => seq)).toEqual([1, 3]);
  });

  it('does not delete an item that a fork shares', async () => {
    const first = await openai.responses.create({ model, input: 'One' });
    await openai.responses.create({ model, input: 'Two', previous_response_id: first.id });
    const forked = await openai.responses.create({ model, input: 'Three', previous_response_id: first.id });
    const fork = forked.conversation?.id ?? '';
    const [shared] = (await openai.conversations.items.list(fork, { order: 'asc' })).data;
    for (const conversation_id of [fork, first.conversation?.id ?? '']) {
      const deleted = openai.conversations.items.delete(shared?.id ?? '', { conversation_id });
      await expect(deleted).rejects.toMatchObject({ status: 409 });
    }
    const key = await app.issueKey({ project: 'Commerce' });
    expect((await app.call('DELETE', `/v1/conversations/${fork}/items/${shared?.id}`, { key })).status).toBe(404);
  });

  it('answers 404 for a conversation of another project, and stores nothing in it', async () => {
    const { id } = await openai.conversations.create({ items: [says('Mine')] });
    const key = await app.issueKey({ project: 'Commerce' });
    const paths = [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/items'],
    ] as const;
    for (const [method, below] of paths)
      expect((await app.call(method, `/v1/conversations/${id}${below}`, { key })).status).toBe(404);
    const body = { items: [says('Theirs')] };
    expect((await app.call('POST', `/v1/conversations/${id}/items`, { key, body })).status).toBe(404);
    expect(await textsOf(id)).toHaveLength(1);
  });

  it.each([
    [
      '17 pairs of metadata',
      { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, 'v'])) },
      'metadata',
    ],
    [
      'an image by an address without TLS',
      { items: [pictured('http://example.com/a.png')] },
      'items.0.content.1.image_url',
    ],
    ['more than 20 items', { items: Array.from({ length: 21 }, () => says('x')) }, 'items'],
    ['an item of another kind', { items: [{ type: 'computer_call' }] }, 'items.0'],
    ['an unknown field', { colour: 'blue' }, 'colour'],
  ])('answers 400 for %s, and the error names the field', async (_, body, field) => {
    const { status, text } = await app.call('POST', '/v1/conversations', { body });
    expect([status, text]).toEqual([400, expect.stringContaining(field)]);
  });

  it('stores items after the guards have redacted them', async () => {
    await app.db.prisma.guardPolicy.create({
      data: {
        ...{ id: newId(), project: 'Core' },
        rules: Object.fromEntries(GUARDS.map((guard) => [guard, { input: 'redact', output: 'off' }])),
      },
    });
    const { id } = await openai.conversations.create({ items: [says('Write to ada@example.com')] });
    await app.db.prisma.guardPolicy.deleteMany();
    expect((await textsOf(id)).join()).not.toContain('ada@example.com');
  });
});
