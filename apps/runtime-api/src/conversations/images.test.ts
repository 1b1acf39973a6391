import { setTimeout as pause } from 'node:timers/promises';
import { decodeId, encodeId, newId } from '@millwright/db';
import { readQuotaDrift } from '@millwright/db/quotas';
import {
  createFakeModel,
  createTestDatabase,
  type ClientAnswer,
  type FakeModel,
  type HttpClient,
  type TestDatabase,
} from '@millwright/testing';
import { GIF_IMAGE, JPEG_IMAGE, pngImage, WEBP_IMAGE } from '@millwright/testing/images';
import { startRuntime, type TestRuntime } from '../test-runtime.js';
import { createContextImages } from './context-images.store.js';
import { createImageReader, imageReference } from './model-images.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let call: HttpClient;
let neighbour: HttpClient;
let stranger: HttpClient;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  call = runtime.as(await runtime.newToken());
  const { id: userId } = await runtime.newUser('ben@example.com');
  neighbour = runtime.as(await runtime.newToken({ userId }));
  const { id: otherId } = await runtime.newUser('cora@example.com', { project: 'Commerce' });
  stranger = runtime.as(await runtime.newToken({ userId: otherId, project: 'Commerce' }));
  await runtime.newAgent({ name: 'Looker', model: 'seeing' });
  await runtime.newAgent({ name: 'Blind', model: 'house' });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});
beforeEach(() => {
  model.requests.splice(0);
  model.answerWith('I see a mill.');
});

interface Image {
  id: string;
  name: string;
  content_type: string;
  size: number;
  width: number;
  height: number;
}
interface Message {
  id: string;
  content: string;
  images: Image[];
}

const PNG = pngImage(12, 8);
const given = (bytes: Buffer, name?: string) => ({
  data: bytes.toString('base64'),
  ...(name !== undefined && { name }),
});
const send = (json: object, agent = 'looker', by = call) => by('POST', `/api/v1/agents/${agent}/messages`, { json });
/** Begins a conversation whose first message has these images. @returns its id */
async function begun(images: object[], content = 'What is this?'): Promise<string> {
  const { status, body } = await send({ content, images });
  expect([status, body]).toMatchObject([200, { content: 'I see a mill.' }]);
  return (body as { context_id: string }).context_id;
}
async function messagesOf(contextId: string, by = call): Promise<Message[]> {
  const { body } = await by('GET', `/api/v1/contexts/${contextId}`);
  return (body as { messages: Message[] }).messages;
}
const imageOf = async (contextId: string) => {
  const [image] = (await messagesOf(contextId))[0]?.images ?? [];
  if (!image) throw new Error('no image');
  return image;
};
const pathOf = (contextId: string, imageId: string) => `/api/v1/contexts/${contextId}/images/${imageId}`;
/** The messages in the last request to the model. */
const asked = () => model.requests.at(-1)?.body.messages.map(({ content }) => content) ?? [];
const dataUrl = (bytes: Buffer, type: string) => `data:${type};base64,${bytes.toString('base64')}`;
const shown = (bytes: Buffer, type: string) => ({ type: 'image_url', image_url: { url: dataUrl(bytes, type) } });
const refusal = ({ status, body }: ClientAnswer) => [status, (body as { error?: { details?: object } }).error?.details];
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 20_000;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error('it did not become true');
    await pause(20);
  }
}
/** Makes a PNG of at least the given size. The image is noise, because compression cannot make noise smaller. */
function largePng(bytes: number): Buffer {
  const side = Math.ceil(Math.sqrt(bytes / 3));
  return pngImage(side, side, undefined, true);
}

describe('a message with images', () => {
  it("is sent to the model with its text and its images, in the format of OpenAI's API", async () => {
    const context = await begun([
      given(PNG, 'mill.png'),
      given(JPEG_IMAGE),
      given(WEBP_IMAGE, 'x.txt'),
      given(GIF_IMAGE),
    ]);
    expect(asked().at(-1)).toEqual([
      { type: 'text', text: 'What is this?' },
      shown(PNG, 'image/png'),
      shown(JPEG_IMAGE, 'image/jpeg'),
      shown(WEBP_IMAGE, 'image/webp'),
      shown(GIF_IMAGE, 'image/gif'),
    ]);
    expect((await messagesOf(context)).map(({ content, images }) => [content, images])).toEqual([
      [
        'What is this?',
        [
          {
            id: expect.stringMatching(/^img_\w{22}$/) as string,
            name: 'mill.png',
            content_type: 'image/png',
            size: PNG.length,
            width: 12,
            height: 8,
          },
          expect.objectContaining({ name: 'image.jpg', content_type: 'image/jpeg', width: 12, height: 8 }),
          expect.objectContaining({ name: 'x.txt', content_type: 'image/webp' }),
          expect.objectContaining({ name: 'image.gif', content_type: 'image/gif', width: 1, height: 1 }),
        ],
      ],
      ['I see a mill.', []],
    ]);
  });

  it('may have no text; its conversation then has the name of the image as its title', async () => {
    const context = await begun([given(PNG, 'mill.png')], '');
    expect(asked().at(-1)).toEqual([shown(PNG, 'image/png')]);
    const { body } = await call('GET', `/api/v1/contexts/${context}`);
    expect(body).toMatchObject({ title: 'mill.png' });
    const renamed = await call('PATCH', `/api/v1/contexts/${context}`, { json: { pinned: true } });
    expect(renamed.body).toMatchObject({ title: 'mill.png', pinned: true });
    expect(refusal(await send({ content: ' ' }))).toMatchObject([400, { field: 'content' }]);
    expect(refusal(await send({ content: '', images: [] }))).toMatchObject([400, { field: 'content' }]);
  });

  it('is sent to the model again with later messages of the conversation', async () => {
    const context_id = await begun([given(PNG)]);
    await send({ content: 'And its colour?', context_id });
    expect(asked().slice(-3)).toEqual([
      [{ type: 'text', text: 'What is this?' }, shown(PNG, 'image/png')],
      'I see a mill.',
      'And its colour?',
    ]);
  });

  it('is sent again with later messages; a request has at most 20 images and 8 MiB of images, and a note replaces each further image', async () => {
    const ten = Array.from({ length: 10 }, (_, n) => given(pngImage(4, 4 + n)));
    const context_id = await begun(ten, 'One');
    await send({ content: 'Two', context_id, images: ten });
    await send({ content: 'Three', context_id, images: [given(PNG)] });
    const [first, , second, , third] = asked().slice(-5) as { type: string; text?: string }[][];
    expect(first).toHaveLength(10);
    expect(first?.[0]).toEqual({ type: 'text', text: 'One\n[An image was here and cannot be seen now.]' });
    expect([second?.length, third?.length]).toEqual([11, 2]);

    const large = largePng(4.5 * 1_048_576);
    const other = await begun([given(large)], 'Large');
    await send({ content: 'Again', context_id: other, images: [given(large)] });
    expect(asked().slice(-3)[0]).toBe('Large\n[An image was here and cannot be seen now.]');
    expect(asked().at(-1)).toHaveLength(2);
  });

  it('is refused when its images do not fit into the window of the model', async () => {
    const small = await runtime.start({ contextWindow: 8_000 });
    const by = small.as(await runtime.newToken());
    const images = Array.from({ length: 5 }, () => given(PNG));
    const answer = await send({ content: 'All of them', images }, 'looker', by);
    expect(refusal(answer)).toMatchObject([
      400,
      { field: 'content', reason: expect.stringContaining('each image counts 1600') as string },
    ]);
    const { status, body } = await send({ content: 'One', images: images.slice(0, 1) }, 'looker', by);
    expect(status).toBe(200);
    const { context_id } = body as { context_id: string };
    await send({ content: 'Two', context_id, images: images.slice(0, 2) }, 'looker', by);
    expect(JSON.stringify(asked())).toContain('cannot be seen now');
  });

  it("leaves at most a quarter of the model's window to the images of earlier messages", async () => {
    const small = await runtime.start({ contextWindow: 20_000 });
    const by = small.as(await runtime.newToken());
    const images = Array.from({ length: 5 }, () => given(PNG));
    const { body } = await send({ content: 'Five', images }, 'looker', by);
    await send({ content: 'And?', context_id: (body as { context_id: string }).context_id }, 'looker', by);
    expect(asked().slice(-3)[0]).toEqual([
      { type: 'text', text: 'Five\n[2 images were here and cannot be seen now.]' },
      ...Array.from({ length: 3 }, () => shown(PNG, 'image/png')),
    ]);
  });

  it('is audited with the number of its images', async () => {
    const context = await begun([given(PNG), given(GIF_IMAGE)]);
    const row = await runtime.db.prisma.governanceDecision.findFirst({
      where: { action: 'agent.message', resource: context },
    });
    expect(row?.detail).toEqual({ agent: 'looker', images: 2 });
  });

  it('counts against the quota of conversations with the size of its text and of its images', async () => {
    const used = async () => {
      const [row] = await runtime.db.prisma.$queryRaw<[{ bytes: number }]>`
        SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM quota_usage WHERE project = 'Core' AND kind = 'contexts'`;
      return row.bytes;
    };
    const before = await used();
    await begun([given(PNG), given(JPEG_IMAGE)]);
    const texts = 'What is this?'.length + 'I see a mill.'.length;
    expect((await used()) - before).toBe(texts + PNG.length + JPEG_IMAGE.length);
    expect(await readQuotaDrift(database.url)).toEqual([]);
  });
});

describe('the check of a message with images', () => {
  const refused = async (images: object[]) => refusal(await send({ content: 'What is this?', images }));

  it('refuses the message, and stores nothing, when the model reads no images; the error names the model and the remedies', async () => {
    const before = await runtime.db.prisma.contextMessage.count();
    const answer = await send({ content: 'What is this?', images: [given(PNG)] }, 'blind');
    expect(refusal(answer)).toEqual([
      400,
      {
        field: 'images',
        reason:
          "are not read by this agent's model house: send the message without images, choose a model that reads images for the agent, or have an admin set `images` of the model",
      },
    ]);
    expect(model.requests).toEqual([]);
    expect(await runtime.db.prisma.contextMessage.count()).toBe(before);
  });

  it('refuses a file that is no image despite its name, a damaged image, and an image with too many pixels', async () => {
    const html = Buffer.from('<!doctype html><script>alert(1)</script>');
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    for (const bytes of [html, svg])
      expect(await refused([given(PNG), given(bytes, 'mill.png')])).toMatchObject([
        400,
        { field: 'images.1.data', reason: expect.stringMatching(/^must be a PNG, JPEG, WebP or GIF image/) as string },
      ]);
    expect(await refused([given(PNG.subarray(0, 50))])).toMatchObject([
      400,
      { field: 'images.0.data', reason: expect.stringContaining('damaged') as string },
    ]);
    expect(await refused([given(pngImage(8_001, 1))])).toMatchObject([
      400,
      { field: 'images.0.data', reason: expect.stringContaining('8,000 on a side') as string },
    ]);
    expect(await refused([{ data: dataUrl(PNG, 'image/png') }])).toMatchObject([
      400,
      { field: 'images.0.data', reason: 'must be base64, without a prefix' },
    ]);
    expect(await refused([{ data: '' }])).toMatchObject([400, { field: 'images.0.data' }]);
  });

  it('refuses too many images, and images with too many bytes', async () => {
    expect(await refused(Array.from({ length: 11 }, () => given(GIF_IMAGE)))).toMatchObject([400, { field: 'images' }]);
    const large = largePng(2.6 * 1_048_576);
    expect(await refused([given(large), given(large)])).toMatchObject([
      400,
      { field: 'images', reason: expect.stringContaining('at most 5 MiB together') as string },
    ]);
    const { status } = await send({ content: 'Hi', images: [given(largePng(7 * 1_048_576))] });
    expect(status).toBe(413);
  });

  it('refuses the id of an image of another conversation, and an image id in a message that names no conversation', async () => {
    const [mine, other] = [await begun([given(PNG)]), await begun([given(GIF_IMAGE)])];
    const { id } = await imageOf(other);
    const wanted = [400, { field: 'images.0.id', reason: 'is not an image of this conversation' }];
    expect(refusal(await send({ content: 'That', context_id: mine, images: [{ id }] }))).toEqual(wanted);
    expect(
      refusal(await send({ content: 'That', context_id: mine, images: [{ id: encodeId('img', newId()) }] })),
    ).toEqual(wanted);
    expect(refusal(await send({ content: 'That', context_id: mine, images: [{ id: 'nonsense' }] }))).toEqual(wanted);
    expect(refusal(await send({ content: 'That', images: [{ id }] }))).toMatchObject([400, { field: 'images.0.id' }]);
    expect(refusal(await send({ content: 'That', images: [{ id, ...given(PNG) }] }))).toMatchObject([
      400,
      { field: 'images.0' },
    ]);
  });

  it('passes an image that the server of the model then refuses; the message is answered with 400', async () => {
    model.answerWith({ status: 400, body: { error: { message: 'Could not process image' } } });
    const answer = await send({ content: 'What is this?', images: [given(PNG)] });
    expect(refusal(answer)).toMatchObject([
      400,
      { reason: expect.stringContaining('the server of the model seeing refuses the request') as string },
    ]);
  });

  it('applies guards to the names of the images, but not to the images; a guard redacts the name or blocks the message', async () => {
    for (const [name, action] of [
      ['Redacting', 'redact'],
      ['Blocking', 'block'],
    ] as const) {
      const { id: agent_id } = await runtime.newAgent({ name, model: 'seeing' });
      const rules = { email: { input: action, output: 'off', tools: 'off' } };
      await runtime.db.prisma.guardPolicy.create({ data: { id: newId(), project: 'Core', agent_id, rules } });
    }
    const json = { content: 'Look', images: [given(PNG, 'ann@example.com.png')] };
    const { body } = await send(json, 'redacting');
    const [message] = await messagesOf((body as { context_id: string }).context_id);
    expect(message?.images).toMatchObject([{ name: expect.stringContaining('[removed: email]') as string }]);
    const before = await runtime.db.prisma.contextMessage.count();
    expect((await send(json, 'blocking')).status).toBe(422);
    expect(await runtime.db.prisma.contextMessage.count()).toBe(before);
  });

  it('replaces control characters and slashes in the names of images', async () => {
    const context = await begun([given(PNG, '../a\u0001b\u202e/c\\d.png'), given(PNG, '\u0007')]);
    const [message] = await messagesOf(context);
    expect(message?.images.map(({ name }) => name)).toEqual(['.. a b  c d.png', 'image.png']);
  });
});

describe('a conversation whose model no longer reads images', () => {
  it('can be continued; the model gets a note in place of the image', async () => {
    const { id } = await runtime.newAgent({ name: 'Changing', model: 'seeing' });
    const { body } = await send({ content: 'What is this?', images: [given(PNG)] }, 'changing');
    await runtime.db.prisma.agent.update({ where: { id }, data: { model: 'house' } });
    const { context_id } = body as { context_id: string };
    expect((await send({ content: 'And now?', context_id }, 'changing')).status).toBe(200);
    expect(asked().slice(-3)).toEqual([
      'What is this?\n[An image was here and cannot be seen now.]',
      'I see a mill.',
      'And now?',
    ]);
  });
});

describe('a repeated message', () => {
  it('is stored once when its text and images are unchanged, and is answered after a failure; with another image, it is a new message', async () => {
    model.answerWith({ status: 400, body: { error: { message: 'no' } } });
    const failed = await send({ content: 'Look', images: [given(PNG)] });
    expect(failed.status).toBe(400);
    const context_id = String(failed.headers.get('x-context-id'));
    model.answerWith('I see a mill.');
    expect((await send({ content: 'Look', context_id, images: [given(PNG)] })).status).toBe(200);
    expect(await messagesOf(context_id)).toHaveLength(2);
    model.answerWith({ status: 400, body: { error: { message: 'no' } } });
    await send({ content: 'And?', context_id, images: [given(PNG)] });
    model.answerWith('I see a mill.');
    expect((await send({ content: 'And?', context_id, images: [given(GIF_IMAGE)] })).status).toBe(200);
    expect((await messagesOf(context_id)).map(({ images }) => images.map(({ name }) => name))).toEqual([
      ['image.png'],
      [],
      ['image.png'],
      ['image.gif'],
      [],
    ]);
  });

  it('can contain the ids of images of the message that it replaces; it gets copies of these images, and a new answer', async () => {
    const context_id = await begun([given(PNG, 'mill.png')]);
    const [message] = await messagesOf(context_id);
    const [image] = message?.images ?? [];
    const edited = {
      content: 'What colour?',
      context_id,
      replaces: message?.id,
      images: [{ id: image?.id }, given(GIF_IMAGE)],
    };
    expect((await send(edited)).status).toBe(200);
    expect(asked().at(-1)).toEqual([
      { type: 'text', text: 'What colour?' },
      shown(PNG, 'image/png'),
      shown(GIF_IMAGE, 'image/gif'),
    ]);
    const [now] = await messagesOf(context_id);
    expect(now?.images).toMatchObject([{ name: 'mill.png', width: 12 }, { name: 'image.gif' }]);
    expect((await call('GET', pathOf(context_id, image?.id ?? ''))).status).toBe(404);
    expect((await call('GET', pathOf(context_id, now?.images[0]?.id ?? ''))).status).toBe(200);
  });

  it('is refused when the images that it copies and its new images are together too large', async () => {
    const large = given(largePng(2.6 * 1_048_576));
    const context_id = await begun([large]);
    const { id } = await imageOf(context_id);
    const answer = await send({ content: 'Both', context_id, images: [{ id }, large] });
    expect(refusal(answer)).toMatchObject([
      400,
      { field: 'images', reason: expect.stringContaining('5 MiB') as string },
    ]);
  });
});

describe('GET /api/v1/contexts/{context_id}/images/{image_id}', () => {
  it('answers the bytes with headers that prevent browsers from running them, or the record when the client prefers JSON', async () => {
    const context = await begun([given(PNG, 'mill "1".png')]);
    const image = await imageOf(context);
    const response = await fetch(runtime.url + pathOf(context, image.id), {
      headers: { authorization: `Bearer ${await runtime.newToken()}`, accept: 'image/*' },
    });
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(PNG)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': 'attachment; filename="mill \\"1\\".png"',
      'cache-control': 'private, no-cache',
    });
    const record = await call('GET', pathOf(context, image.id), { headers: { accept: 'application/json' } });
    expect([record.status, record.body]).toEqual([200, image]);
    const part = await fetch(runtime.url + pathOf(context, image.id), {
      headers: { authorization: `Bearer ${await runtime.newToken()}`, accept: 'image/*', range: 'bytes=1-3' },
    });
    expect([part.status, await part.text()]).toEqual([206, 'PNG']);
  });

  it('answers 404 to other users until the conversation is shared, and afterwards only to users of other projects', async () => {
    const context = await begun([given(PNG)]);
    const { id } = await imageOf(context);
    const path = pathOf(context, id);
    const statuses = async () =>
      Promise.all([call, neighbour, stranger].map(async (by) => (await by('GET', path)).status));
    expect(await statuses()).toEqual([200, 404, 404]);
    await call('PATCH', `/api/v1/contexts/${context}`, { json: { shared: true } });
    expect(await statuses()).toEqual([200, 200, 404]);
    expect((await messagesOf(context, neighbour))[0]?.images).toMatchObject([{ id }]);
    await call('PATCH', `/api/v1/contexts/${context}`, { json: { shared: false } });
    expect(await statuses()).toEqual([200, 404, 404]);
  });

  it('answers 404 for an image of another conversation, a deleted conversation, and malformed ids', async () => {
    const [mine, other] = [await begun([given(PNG)]), await begun([given(PNG)])];
    const { id } = await imageOf(mine);
    expect((await call('GET', pathOf(other, id))).status).toBe(404);
    expect((await call('GET', pathOf(mine, 'img_none'))).status).toBe(404);
    expect((await call('GET', pathOf('ctx_none', id))).status).toBe(404);
    await call('DELETE', `/api/v1/contexts/${mine}`);
    expect((await call('GET', pathOf(mine, id))).status).toBe(404);
  });

  it('answers 401 without a credential and 403 without the required scope', async () => {
    const context = await begun([given(PNG)]);
    const { id } = await imageOf(context);
    expect((await runtime.as()('GET', pathOf(context, id))).status).toBe(401);
    const other = runtime.as(await runtime.newToken({ scopes: ['files:read'] }));
    expect((await other('GET', pathOf(context, id))).status).toBe(403);
  });

  it('answers 404 once the message of the image is deleted', async () => {
    const context = await begun([given(PNG)]);
    const { id } = await imageOf(context);
    await runtime.db.prisma.$executeRaw`DELETE FROM context_messages WHERE images IS NOT NULL`;
    expect((await call('GET', pathOf(context, id))).status).toBe(404);
    const [left] = await runtime.db.prisma.$queryRaw<[{ n: number }]>`SELECT count(*)::int AS n FROM context_images`;
    expect(left.n).toBe(0);
  });
});

describe('the images of calls of models', () => {
  const never = new AbortController().signal;
  async function stored() {
    const { id } = await imageOf(await begun([given(PNG)]));
    const uuid = decodeId('img', id) ?? '';
    return { uuid, messages: [{ role: 'user', content: '', images: [imageReference({ id: uuid })] }] as const };
  }

  it('are loaded into memory up to a limit, in the order of the calls; a canceled call does not delay the calls after it', async () => {
    const open = createImageReader(createContextImages(runtime.db), PNG.length);
    const { messages } = await stored();
    const first = await open(messages, never);
    expect(first.messages[0]?.images?.[0]?.url).toBe(dataUrl(PNG, 'image/png'));
    const arrived: string[] = [];
    const second = open(messages, never).then((opened) => {
      arrived.push('second');
      return opened;
    });
    const leaving = new AbortController();
    const third = open(messages, leaving.signal);
    await pause(50);
    leaving.abort(new Error('canceled'));
    await expect(third).rejects.toThrow('canceled');
    const fourth = open(messages, never).then((opened) => {
      arrived.push('fourth');
      return opened;
    });
    await pause(50);
    expect(arrived).toEqual([]);
    first.release();
    first.release();
    const { release } = await second;
    await pause(50);
    expect(arrived).toEqual(['second']);
    release();
    (await fourth).release();
    expect(arrived).toEqual(['second', 'fourth']);
  });

  it('make the call fail when one of them was deleted meanwhile; the memory is then free for other calls', async () => {
    const open = createImageReader(createContextImages(runtime.db), PNG.length);
    const [gone, kept] = [await stored(), await stored()];
    await runtime.db.prisma.$executeRaw`DELETE FROM context_images WHERE id = ${gone.uuid}::uuid`;
    const both = [...kept.messages, ...gone.messages];
    await expect(open(both, never)).rejects.toMatchObject({ code: 'not_found' });
    await expect(open(gone.messages, never)).rejects.toMatchObject({ code: 'not_found' });
    (await open(kept.messages, never)).release();
  });

  it('use no memory when the message has only text', async () => {
    const open = createImageReader(createContextImages(runtime.db), 0);
    const messages = [{ role: 'user', content: 'Hi' }] as const;
    expect((await open(messages, never)).messages).toBe(messages);
  });
});

describe('a run of a message with images', () => {
  it('shows which images its message had, and how many images each call of the model had', async () => {
    const { body } = await call('POST', '/api/v1/runs', {
      json: { agent: 'looker', content: 'Look', images: [given(PNG, 'mill.png')] },
      headers: { prefer: 'wait=30' },
    });
    const { id } = body as { id: string };
    const run = await call('GET', `/api/v1/runs/${id}`);
    expect(run.body).toMatchObject({
      state: 'completed',
      input: 'Look',
      images: [{ name: 'mill.png', content_type: 'image/png', size: PNG.length, width: 12, height: 8 }],
    });
    const steps = await call('GET', `/api/v1/runs/${id}/steps`);
    expect((steps.body as { items: { parameters: object }[] }).items[0]?.parameters).toMatchObject({ images: 1 });
  });

  it('is retried with its images', async () => {
    model.answerWith({ status: 400, body: { error: { message: 'no' } } });
    const json = { agent: 'looker', content: 'Look', images: [given(PNG)] };
    const failed = await call('POST', '/api/v1/runs', { json, headers: { prefer: 'wait=30' } });
    expect(failed.body).toMatchObject({ state: 'failed' });
    model.answerWith('I see a mill.');
    const again = await call('POST', `/api/v1/runs/${(failed.body as { id: string }).id}/retry`, {
      headers: { prefer: 'wait=30' },
    });
    expect(again.body).toMatchObject({ state: 'completed' });
    expect(asked().at(-1)).toEqual([{ type: 'text', text: 'Look' }, shown(PNG, 'image/png')]);
  });

  it('has its images even when it was queued and another process executes it', async () => {
    const full = await runtime.start({ projectRunsAtOnce: 1 });
    const by = full.as(await runtime.newToken());
    const { promise: isReleased, resolve: release } = Promise.withResolvers<true>();
    model.answerWith(async ({ body }) => {
      if (JSON.stringify(body.messages).includes('First')) await isReleased;
      return 'I see a mill.';
    });
    const first = await by('POST', '/api/v1/runs', { json: { agent: 'looker', content: 'First' } });
    const json = { agent: 'looker', content: 'Look', images: [given(PNG)] };
    const second = await by('POST', '/api/v1/runs', { json });
    expect([first.body, second.body]).toMatchObject([{ state: 'running' }, { state: 'queued' }]);
    const { context_id } = second.body as { context_id: string };
    await until(async () => (await messagesOf(context_id)).length === 2);
    expect(model.requests.map(({ body }) => body.messages.at(-1)?.content)).toContainEqual([
      { type: 'text', text: 'Look' },
      shown(PNG, 'image/png'),
    ]);
    release(true);
  });

  it('uses the model of the draft when the agent is an unsaved draft', async () => {
    const draft = { name: 'Draft', model: 'seeing', content: 'Look', images: [given(PNG)] };
    const { body } = await call('POST', '/api/v1/runs/draft', { json: draft, headers: { prefer: 'wait=30' } });
    expect(body).toMatchObject({ state: 'completed' });
    expect(asked().at(-1)).toEqual([{ type: 'text', text: 'Look' }, shown(PNG, 'image/png')]);
    const blind = await call('POST', '/api/v1/runs/draft', { json: { ...draft, model: 'house' } });
    expect(refusal(blind)).toMatchObject([400, { field: 'images' }]);
  });
});
