import OpenAI from 'openai';
import { startTestApp, type TestApp } from '../test-app.js';

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const IMAGE = { type: 'image_url', image_url: { url: PIXEL } };
const ADDRESS = 'https://images.example.com/mill.png?size=2';
const addressed = (url: string) => ({ type: 'image_url', image_url: { url } });

let app: TestApp;
let seeing: string;
let openai: OpenAI;
const model = 'seeing';
beforeAll(async () => {
  app = await startTestApp();
  const models = [
    { name: 'seeing', images: true, fallbacks: ['blind'], contextWindow: 8_000 },
    { name: 'blind' },
    { name: 'fetching', images: true, imageUrls: true, fallbacks: ['seeing'] },
  ];
  seeing = (await app.startReplica({ models })).url;
  openai = new OpenAI({ baseURL: `${seeing}/v1`, apiKey: await app.issueKey(), maxRetries: 0 });
});
afterAll(() => app.close());
beforeEach(() => {
  app.model.requests.length = 0;
  app.model.answerWith('A dot.');
});

const sent = () => app.model.requests.at(-1)?.body.messages ?? [];
const user = (...content: unknown[]) => [{ role: 'user', content }] as OpenAI.ChatCompletionMessageParam[];
const text = (words: string) => ({ type: 'text', text: words });
const input = (...content: unknown[]) => [{ role: 'user', content }] as OpenAI.Responses.ResponseInput;

async function post(path: string, body: unknown): Promise<Response> {
  const headers = { Authorization: `Bearer ${await app.issueKey()}`, 'Content-Type': 'application/json' };
  return fetch(`${seeing}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

describe('the address of an image', () => {
  it('of a chat completion is sent only to a model whose server fetches addresses', async () => {
    app.model.answerWith({ status: 401 });
    const image = { type: 'image_url', image_url: { url: ADDRESS, detail: 'low' } };
    const asked = openai.chat.completions.create({ model: 'fetching', messages: user(text('What is'), image) });
    await expect(asked).rejects.toMatchObject({ status: 503 });
    expect(app.model.requests.map(({ body }) => body.messages)).toEqual([
      [{ role: 'user', content: [text('What is'), image] }],
    ]);
  });

  it('of a response is stored, sent again with the next response, and left out for a model whose server fetches no addresses', async () => {
    const image = { type: 'input_image', image_url: ADDRESS };
    const first = await openai.responses.create({ model: 'fetching', input: input(image) });
    const [item] = (await openai.responses.inputItems.list(first.id)).data;
    expect(item).toMatchObject({ content: [{ type: 'input_image', image_url: ADDRESS, detail: 'auto' }] });
    const next = await openai.responses.create({ model: 'fetching', input: 'Sure?', previous_response_id: first.id });
    expect(sent()[0]).toEqual({ role: 'user', content: [addressed(ADDRESS)] });
    const other = { model, input: [{ role: 'user' as const, content: 'And?' }], previous_response_id: next.id };
    expect(await openai.responses.create(other)).toMatchObject({
      warnings: [expect.stringContaining('the server of the model seeing fetches no addresses')],
    });
    expect(JSON.stringify(sent())).not.toContain(ADDRESS);
  });

  it('is left out for a model whose server fetches no addresses; images of the same message that were sent as data are sent again', async () => {
    const both = input({ type: 'input_image', image_url: ADDRESS }, { type: 'input_image', image_url: PIXEL });
    const first = await openai.responses.create({ model: 'fetching', input: both });
    await openai.responses.create({ model, input: 'Sure?', previous_response_id: first.id });
    expect(sent()[0]).toEqual({ role: 'user', content: [IMAGE] });
  });

  it('of a request to POST /v1/messages is sent like the address in a chat completion', async () => {
    const content = [{ type: 'image', source: { type: 'url', url: ADDRESS } }, text('What is it?')];
    const body = { model: 'fetching', max_tokens: 100, messages: [{ role: 'user', content }] };
    expect((await post('/v1/messages', body)).status).toBe(200);
    expect(sent()).toEqual([{ role: 'user', content: [text('What is it?'), addressed(ADDRESS)] }]);
  });

  it("that the model's server refuses is answered 400, and only the run contains the server's message", async () => {
    app.model.answerWith({ status: 400, body: { error: { message: 'Error while downloading the image.' } } });
    const answer = await post('/v1/chat/completions', { model: 'fetching', messages: user(addressed(ADDRESS)) });
    const words = await answer.text();
    expect([answer.status, words]).toEqual([400, expect.stringContaining('the server of the model fetching')]);
    expect(words).not.toContain('downloading');
    const run = await app.db.prisma.run.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(run).toMatchObject({ error_status: 400, error_text: expect.stringContaining('downloading') as string });
  });
});

describe('an image in a request', () => {
  it('of a chat completion is sent to a model that reads images, after the text of its message', async () => {
    await openai.chat.completions.create({
      model,
      messages: user(IMAGE, text('What is'), { ...IMAGE, image_url: { url: PIXEL, detail: 'low' } }, text('this?')),
    });
    expect(sent()).toEqual([
      {
        role: 'user',
        content: [
          text('[image 1]\nWhat is\n[image 2]\nthis?'),
          IMAGE,
          { type: 'image_url', image_url: { url: PIXEL, detail: 'low' } },
        ],
      },
    ]);
  });

  it('of a message without text is sent alone', async () => {
    await openai.chat.completions.create({ model, messages: user(IMAGE) });
    expect(sent()).toEqual([{ role: 'user', content: [IMAGE] }]);
  });

  it('of a response is stored in its conversation, and sent again with the next response', async () => {
    const asked = input({ type: 'input_text', text: 'What is' }, { type: 'input_image', image_url: PIXEL });
    const first = await openai.responses.create({ model, input: asked });
    const next = await openai.responses.create({ model, input: 'Sure?', previous_response_id: first.id });
    expect(next.output_text).toBe('A dot.');
    expect(sent()[0]).toEqual({ role: 'user', content: [text('What is'), IMAGE] });
    const [item] = (await openai.responses.inputItems.list(first.id)).data;
    expect(item).toMatchObject({ content: [{ text: 'What is' }, { type: 'input_image', image_url: PIXEL }] });
    const reference = [{ type: 'item_reference', id: item?.id ?? '' }] as OpenAI.Responses.ResponseInput;
    await openai.responses.create({ model, input: [...reference, ...input({ type: 'input_text', text: 'And?' })] });
    expect(sent()[0]).toEqual({ role: 'user', content: [text('What is'), IMAGE] });
  });

  it('of a conversation is left out, with a warning, when the model reads no images', async () => {
    const asked = input({ type: 'input_text', text: 'What is' }, { type: 'input_image', image_url: PIXEL });
    const first = await openai.responses.create({ model, input: asked });
    const next = await openai.responses.create({ model: 'blind', input: 'Sure?', previous_response_id: first.id });
    expect(sent()[0]).toEqual({ role: 'user', content: 'What is' });
    expect(next).toMatchObject({ warnings: [expect.stringContaining('the model blind reads none')] });
  });

  it("of Anthropic's messages is sent to the model as an image", async () => {
    const source = { type: 'base64', media_type: 'image/png', data: PIXEL.split(',')[1] };
    const document = { type: 'text', media_type: 'text/plain', data: 'Mills grind.' };
    const content = [
      { type: 'image', source },
      { type: 'document', source: document, title: 'mills.txt' },
      text('What is'),
    ];
    const body = { model, max_tokens: 100, messages: [{ role: 'user', content }] };
    expect((await post('/v1/messages', body)).status).toBe(200);
    expect(sent()).toEqual([{ role: 'user', content: [text('File mills.txt:\nMills grind.\nWhat is'), IMAGE] }]);
  });

  it('is not sent to a fallback model that reads no images', async () => {
    app.model.answerWith({ status: 401 });
    await expect(openai.chat.completions.create({ model, messages: user(IMAGE) })).rejects.toMatchObject({
      status: 503,
    });
    expect(
      app.model.requests.map(({ body }) => JSON.stringify(body.messages)).filter((one) => !one.includes('image_url')),
    ).toEqual([]);
  });

  it("counts as tokens in the model's window", async () => {
    const messages = user(...Array.from({ length: 5 }, () => IMAGE), text('What?'));
    await expect(openai.chat.completions.create({ model, messages })).rejects.toMatchObject({ status: 400 });
  });

  it('is not stored in the step of the run; the step contains only the number of images', async () => {
    await openai.chat.completions.create({ model, messages: user(text('What is'), IMAGE) });
    const step = await app.db.prisma.runStep.findFirst({ orderBy: { run_id: 'desc' } });
    expect(JSON.stringify(step?.added)).toContain('[images: 1]');
    expect(JSON.stringify(step?.added)).not.toContain('base64');
  });

  it.each([
    ['a model that reads none', { model: 'blind', messages: user(IMAGE) }, 'the model blind reads none'],
    [
      'an address and a model whose server must not fetch it',
      { model, messages: user(addressed('https://example.com/a.png')) },
      'the server of the model seeing fetches no addresses',
    ],
    [
      'an address and a model that reads no images',
      { model: 'blind', messages: user(addressed('https://example.com/a.png')) },
      'the model blind reads none',
    ],
    [
      'an address without TLS',
      { model: 'fetching', messages: user(addressed('http://example.com/a.png')) },
      'messages.0.content.0.image_url.url',
    ],
    [
      'an address of a private network',
      { model: 'fetching', messages: user(addressed('https://169.254.169.254/')) },
      'https address of a public host',
    ],
    [
      'an address with a password',
      { model: 'fetching', messages: user(addressed('https://ada:secret@example.com/a.png')) },
      'https address of a public host',
    ],
    [
      'an address of 4,097 characters',
      { model: 'fetching', messages: user(addressed(`https://example.com/${'a'.repeat(4_077)}`)) },
      'https address of a public host',
    ],
    [
      'an address of this machine',
      { model: 'fetching', messages: user(addressed('https://localhost/a.png')) },
      'https address of a public host',
    ],
    [
      'an SVG',
      { model, messages: user({ type: 'image_url', image_url: { url: 'data:image/svg+xml;base64,PHN2Zy8+' } }) },
      'must be a data URL',
    ],
    [
      'what is no base64',
      { model, messages: user({ type: 'image_url', image_url: { url: 'data:image/png;base64,<svg>' } }) },
      'must be a data URL',
    ],
    ['21 images', { model, messages: user(...Array.from({ length: 21 }, () => IMAGE)) }, 'at most 20'],
    [
      'a message of the assistant',
      { model, messages: [{ role: 'assistant', content: [IMAGE] }, ...user(text('x'))] },
      'messages.0',
    ],
  ])('is refused with 400 for %s, without a call of a model', async (_, body, words) => {
    const before = app.model.requests.length;
    const answer = await post('/v1/chat/completions', body);
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(words)]);
    expect(app.model.requests).toHaveLength(before);
  });
});

describe('a file in a request', () => {
  const data = (type: string, bytes: string | Buffer) => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;

  it("with text becomes part of the message's text, after the file's name", async () => {
    const file = { type: 'input_file', filename: 'notes.md', file_data: data('text/markdown', '# Mills') };
    await openai.responses.create({ model: 'blind', input: input({ type: 'input_text', text: 'Sum up' }, file) });
    expect(sent()).toEqual([{ role: 'user', content: 'Sum up\nFile notes.md:\n# Mills' }]);
    const part = { type: 'file', file: { filename: 'a.json', file_data: data('application/json', '{"a":1}') } };
    await openai.chat.completions.create({ model: 'blind', messages: user(part) });
    expect(sent()).toEqual([{ role: 'user', content: 'File a.json:\n{"a":1}' }]);
  });

  it.each([
    [
      'bytes that are no UTF-8',
      { file_data: data('text/plain', Buffer.from([0xff, 0xfe])) },
      'must be a data URL of a PDF or DOCX document, or of a text in UTF-8',
    ],
    ['neither data, id nor address', { filename: 'a.txt' }, 'content.0.file_data: is required'],
  ])('is refused with 400 for %s', async (_, file, words) => {
    const asked = input({ type: 'input_file', ...file });
    await expect(openai.responses.create({ model: 'blind', input: asked })).rejects.toMatchObject({
      ...{ status: 400, message: expect.stringContaining(words) as string },
    });
  });
});

describe('an image in the output of a tool', () => {
  const tools = [{ type: 'function' as const, name: 'draw', parameters: {}, strict: false }];
  const draw = (id: string) => ({ id, type: 'function' as const, function: { name: 'draw', arguments: '{}' } });
  const image = { type: 'input_image' as const, image_url: PIXEL, detail: 'auto' as const };
  const output = (call_id: string, ...parts: OpenAI.Responses.ResponseFunctionCallOutputItemList) => ({
    ...{ type: 'function_call_output' as const, call_id, output: parts },
  });

  it('of a response is sent after all outputs as a message of the user, is stored, and is sent again with the next response', async () => {
    app.model.answerWith({ toolCalls: [draw('call_1'), draw('call_2')] });
    const asked = await openai.responses.create({ model, tools, input: 'Draw a mill' });
    app.model.answerWith('A dot.');
    const outputs = [output('call_1', { type: 'input_text', text: 'Drawn:' }, image), output('call_2', image)];
    const request = { model, tools, input: outputs, previous_response_id: asked.id };
    const drawn = await openai.responses.create(request);
    const expected = [
      { role: 'tool', tool_call_id: 'call_1', content: 'Drawn:\n[image 1]' },
      { role: 'tool', tool_call_id: 'call_2', content: '[image 1]' },
      { role: 'user', content: [IMAGE, IMAGE] },
    ];
    expect(sent().slice(2)).toEqual(expected);
    await openai.responses.create({ model, input: 'Sure?', previous_response_id: drawn.id });
    expect(sent().slice(2, 5)).toEqual(expected);
    const items = (await openai.responses.inputItems.list(drawn.id, { order: 'asc' })).data;
    expect(items.slice(-2)).toMatchObject([
      { call_id: 'call_1', output: [{ type: 'input_text', text: 'Drawn:\n[image 1]' }, image] },
      { call_id: 'call_2', output: [{ type: 'input_text', text: '[image 1]' }, image] },
    ]);
    await expect(openai.responses.create({ ...request, model: 'blind' })).rejects.toMatchObject({
      ...{ status: 400, message: expect.stringContaining('the model blind reads none') as string },
    });
  });

  it("of Anthropic's messages is sent after all outputs and before the user's text", async () => {
    const source = { type: 'base64', media_type: 'image/png', data: PIXEL.split(',')[1] };
    const document = {
      type: 'document',
      title: 'mills.txt',
      source: { type: 'text', media_type: 'text/plain', data: 'Mills.' },
    };
    const result = { type: 'tool_result', tool_use_id: 'call_1', content: [document, { type: 'image', source }] };
    const failed = { type: 'tool_result', tool_use_id: 'call_2', is_error: true, content: [{ type: 'image', source }] };
    const calls = ['call_1', 'call_2'].map((id) => ({ type: 'tool_use', id, name: 'draw', input: {} }));
    const messages = [
      { role: 'user', content: 'Draw a mill' },
      { role: 'assistant', content: calls },
      { role: 'user', content: [result, failed, text('Is it round?')] },
    ];
    expect((await post('/v1/messages', { model, max_tokens: 100, messages })).status).toBe(200);
    expect(sent().slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'call_1', content: 'File mills.txt:\nMills.\n[image 1]' },
      { role: 'tool', tool_call_id: 'call_2', content: 'Error:\n[image 1]' },
      { role: 'user', content: [IMAGE, IMAGE] },
      { role: 'user', content: 'Is it round?' },
    ]);
  });
});

describe('an image for an agent', () => {
  beforeAll(async () => {
    for (const [prefix, agentModel] of [
      ['looker', 'seeing'],
      ['blind', 'blind'],
    ] as const) {
      await app.call('POST', '/v1/agent', { body: { content: 'You look.', prefix, metadata: { title: prefix } } });
      await app.db.prisma.agent.updateMany({ where: { slug: prefix }, data: { model: agentModel } });
    }
  });

  /** Sends a request whose run no process executes. @returns the stored messages of its conversation */
  async function storedBy(send: (signal: AbortSignal) => Promise<unknown>) {
    const leaving = new AbortController();
    const before = await app.db.prisma.run.count();
    const asked = send(leaving.signal).catch(() => undefined);
    while ((await app.db.prisma.run.count()) === before) await new Promise((resolve) => setTimeout(resolve, 10));
    leaving.abort();
    await asked;
    const { context_id } = await app.db.prisma.run.findFirstOrThrow({ orderBy: { id: 'desc' } });
    return app.db.prisma.contextMessage.findMany({
      where: { context_id: context_id ?? '' },
      orderBy: { seq: 'asc' },
      include: { stored_images: true },
    });
  }

  it('is stored with the message that contains it, for chat completions and for responses', async () => {
    const bytes = Buffer.from(PIXEL.replace(/^.*,/, ''), 'base64');
    const image = { name: 'image.png', content_type: 'image/png', size: bytes.length, width: 1, height: 1 };
    const [first, answered, second] = await storedBy((signal) =>
      openai.chat.completions.create(
        {
          model: 'agent/looker',
          messages: [...user(IMAGE), { role: 'assistant', content: 'A dot.' }, ...user(text('And'), IMAGE)],
        },
        { signal },
      ),
    );
    expect([first, answered, second]).toMatchObject([
      { content: '', images: [image], image_bytes: bytes.length },
      { content: 'A dot.', images: null, image_bytes: null },
      { content: 'And', images: [image] },
    ]);
    expect(second?.stored_images.map((one) => Buffer.from(one.bytes).equals(bytes))).toEqual([true]);
    expect(second?.images).toMatchObject([{ id: second?.stored_images[0]?.id }]);
    const [message] = await storedBy((signal) =>
      openai.responses.create(
        { model: 'agent/looker', input: input({ type: 'input_image', image_url: PIXEL }) },
        { signal },
      ),
    );
    expect(message).toMatchObject({ content: '', images: [image] });
  });

  it.each([
    ['whose model reads none', 'agent/blind', IMAGE, "are not read by this agent's model blind"],
    ['that is damaged', 'agent/looker', addressed(PIXEL.slice(0, 70)), 'the image is damaged'],
    ['that is something else', 'agent/looker', addressed('data:image/png;base64,PGh0bWw+'), 'must be a PNG'],
    ['at an address', 'agent/looker', addressed(ADDRESS), 'addresses are not fetched'],
  ])('%s is refused, and nothing is stored', async (_what, agent, image, reason) => {
    const before = await app.db.prisma.contextMessage.count();
    await expect(
      openai.chat.completions.create({ model: agent, messages: user(text('What is'), image) }),
    ).rejects.toMatchObject({ status: 400, param: 'messages', message: expect.stringContaining(reason) as string });
    expect(await app.db.prisma.contextMessage.count()).toBe(before);
  });

  it('is refused when its message has too many images', async () => {
    const messages = user(...Array.from({ length: 11 }, () => IMAGE));
    await expect(openai.chat.completions.create({ model: 'agent/looker', messages })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('11 images') as string,
    });
  });
});
