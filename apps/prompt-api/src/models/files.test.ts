import { docxOf, pdfOf } from '@millwright/documents/test-documents';
import OpenAI from 'openai';
import { startTestApp, type TestApp } from '../test-app.js';

const PDF = 'application/pdf';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const MIB = 1_048_576;
const model = 'seeing';

let app: TestApp;
let call: TestApp['call'];
let openai: OpenAI;
beforeAll(async () => {
  app = await startTestApp();
  const replica = await app.startReplica({ models: [{ name: model, images: true }] });
  call = replica.call;
  openai = new OpenAI({ baseURL: `${replica.url}/v1`, apiKey: await app.issueKey(), maxRetries: 0 });
});
afterAll(() => app.close());
beforeEach(() => {
  app.model.requests.length = 0;
  app.model.answerWith('It is about refunds.');
});

const sent = () => app.model.requests.at(-1)?.body.messages ?? [];
const dataUrl = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`;
const terms = pdfOf([['Refunds are paid within 14 days.'], ['Parcels to Iceland take nine days.']]);
const TERMS = 'Refunds are paid within 14 days.\n\nParcels to Iceland take nine days.';
/** A PDF of this many bytes with one page. */
const pdfOfBytes = (bytes: number) => pdfOf([['Long.']], { trailer: `/Filler (${'x'.repeat(bytes)})` });

const inputFile = (file: object) => ({
  model,
  input: [{ role: 'user', content: [{ type: 'input_file', ...file }] }],
});
const chatFile = (file: object) => ({ model, messages: [{ role: 'user', content: [{ type: 'file', file }] }] });
const document = (source: object) => ({
  ...{ model, max_tokens: 100 },
  messages: [{ role: 'user', content: [{ type: 'document', source, title: 'Terms' }] }],
});

describe('a document in a request', () => {
  it('to POST /v1/responses is sent to the model as text, and stored in the conversation', async () => {
    const content = [
      { type: 'input_text' as const, text: 'What is it about?' },
      { type: 'input_file' as const, filename: 'terms.pdf', file_data: dataUrl(PDF, terms) },
    ];
    const first = await openai.responses.create({ model, input: [{ role: 'user', content }] });
    expect(first.output_text).toBe('It is about refunds.');
    const asked = { role: 'user', content: `What is it about?\nFile terms.pdf:\n${TERMS}` };
    expect(sent()).toEqual([asked]);
    await openai.responses.create({ model, input: 'Sure?', previous_response_id: first.id });
    expect(sent()[0]).toEqual(asked);
  });

  it('to POST /v1/chat/completions is sent to the model as text, even when it is a DOCX document', async () => {
    const paragraph = '<w:p><w:r><w:t>Paid within 14 days.</w:t></w:r></w:p>';
    const file = { filename: 'terms.docx', file_data: dataUrl(DOCX, docxOf(paragraph)) };
    expect((await call('POST', '/v1/chat/completions', { body: chatFile(file) })).status).toBe(200);
    expect(sent()).toEqual([{ role: 'user', content: 'File terms.docx:\nPaid within 14 days.' }]);
  });

  it('to POST /v1/messages is sent to the model as text, after the text of its field `context`', async () => {
    const source = { type: 'base64', media_type: PDF, data: terms.toString('base64') };
    const body = document(source);
    Object.assign(body.messages[0]?.content[0] ?? {}, { context: 'Of the shop' });
    expect((await call('POST', '/v1/messages', { body })).status).toBe(200);
    expect(sent()).toEqual([{ role: 'user', content: `Of the shop\nFile Terms:\n${TERMS}` }]);
  });

  it('in the output of a function, and in an item of a conversation, is sent to the model as text', async () => {
    const file = { type: 'input_file', filename: 'terms.pdf', file_data: dataUrl(PDF, terms) };
    const calls = [
      { role: 'user', content: 'What is it about?' },
      { type: 'function_call', call_id: 'c1', name: 'fetch_terms', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: [file] },
    ];
    expect((await call('POST', '/v1/responses', { body: { model, input: calls } })).status).toBe(200);
    expect(sent().at(-1)).toMatchObject({ role: 'tool', content: `File terms.pdf:\n${TERMS}` });
    const items = { items: [{ role: 'user', content: [file] }] };
    const { body } = await call<{ id: string }>('POST', '/v1/conversations', { body: items });
    await openai.responses.create({ model, conversation: body.id, input: 'What is it about?' });
    expect(sent()[0]).toEqual({ role: 'user', content: `File terms.pdf:\n${TERMS}` });
  });

  it('for an agent is read as text, and refused with 400 when it has no text', async () => {
    const body = { ...inputFile({ file_data: dataUrl(PDF, pdfOf([[]])) }), model: 'agent/nobody' };
    const { status, text } = await call('POST', '/v1/responses', { body });
    expect([status, text]).toEqual([400, expect.stringContaining('has no text: send pages that are images as images')]);
  });

  const encrypted = pdfOf([['x']], {
    trailer:
      '/Encrypt << /Filter /Standard /V 1 /R 2 /O (12345678901234567890123456789012) /U (12345678901234567890123456789012) /P -4 >> /ID [(a) (a)]',
  });
  it.each<[string, string, object, string]>([
    ['that is cut off', PDF, Buffer.from('%PDF-1.4\nnothing'), 'cannot be read: it is damaged'],
    ['without text', PDF, pdfOf([[]]), 'has no text'],
    ['with a password', PDF, encrypted, 'needs a password'],
    [
      'with too much text',
      DOCX,
      docxOf(`<w:p><w:r><w:t>${'a b '.repeat(250_000)}</w:t></w:r></w:p>`),
      'has too much text',
    ],
    ['of another format', 'application/zip', Buffer.from('PK'), 'must be a data URL of a PDF or DOCX document'],
  ])(
    '%s is refused with 400 by each API that accepts documents, and the error states the reason',
    async (_what, type, bytes, reason) => {
      const file_data = dataUrl(type, bytes as Buffer);
      for (const [path, body, field] of [
        ['/v1/responses', inputFile({ file_data }), 'input.0.content.0.file_data'],
        ['/v1/chat/completions', chatFile({ file_data }), 'messages.0.content.0.file.file_data'],
      ] as const) {
        const { status, body: failure } = await call('POST', path, { body });
        expect([status, failure.error?.message]).toEqual([400, expect.stringContaining(`${field}: ${reason}`)]);
      }
      if (type !== PDF) return;
      const source = { type: 'base64', media_type: PDF, data: (bytes as Buffer).toString('base64') };
      const { status, text } = await call('POST', '/v1/messages', { body: document(source) });
      expect([status, text]).toEqual([400, expect.stringContaining(reason)]);
      expect(app.model.requests).toEqual([]);
    },
  );

  it('is refused when the request has more than ten documents', async () => {
    const file = { type: 'input_file', file_data: dataUrl(PDF, terms) };
    const input = [{ role: 'user', content: Array.from({ length: 11 }, () => file) }];
    const { status, text } = await call('POST', '/v1/responses', { body: { model, input } });
    expect([status, text]).toEqual([400, expect.stringContaining('at most 10 documents')]);
  });
});

describe('a file whose bytes are not in the request', () => {
  it.each<[string, string, object, string]>([
    ['/v1/responses', 'file_id', inputFile({ file_id: 'file_1' }), 'input.0.content.0.file_id: is not supported'],
    [
      '/v1/responses',
      'file_url',
      inputFile({ file_url: 'https://a.example/a.pdf' }),
      'input.0.content.0.file_url: is not supported',
    ],
    [
      '/v1/chat/completions',
      'file_id',
      chatFile({ file_id: 'file_1' }),
      'messages.0.content.0.file.file_id: is not supported',
    ],
    [
      '/v1/responses',
      'file_id of an image',
      { model, input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'file_1' }] }] },
      'input.0.content.0.file_id: is not supported',
    ],
    [
      '/v1/messages',
      'a document by its address',
      document({ type: 'url', url: 'https://a.example/a.pdf' }),
      'must be of type text or base64',
    ],
  ])('%s: %s is answered 400, and the error names the file', async (path, _what, body, reason) => {
    const { status, text } = await call('POST', path, { body });
    expect([status, text]).toEqual([400, expect.stringContaining(reason)]);
  });
});

describe('a request with more than 1 MiB', () => {
  const photo = (bytes: number) => `data:image/jpeg;base64,${'A'.repeat(bytes)}`;

  it('may contain an image of 7 MiB, which is sent to the model, stored in the conversation and sent again with the next response', async () => {
    const url = photo(7 * MIB);
    const content = [{ type: 'input_image' as const, image_url: url, detail: 'auto' as const }];
    const first = await openai.responses.create({ model, input: [{ role: 'user', content }] });
    expect(JSON.stringify(sent())).toContain(url);
    await openai.responses.create({ model, input: 'Sure?', previous_response_id: first.id });
    expect(JSON.stringify(sent()[0])).toContain(url);
    const [item] = (await openai.responses.inputItems.list(first.id)).data;
    expect(item).toMatchObject({ content: [{ image_url: url }] });
  });

  it.each([
    [
      '/v1/chat/completions',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: photo(5 * MIB) } }] }] },
    ],
    [
      '/v1/messages',
      {
        max_tokens: 10,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'A'.repeat(5 * MIB) } },
            ],
          },
        ],
      },
    ],
    ['/v1/chat/completions', chatFile({ file_data: dataUrl(PDF, pdfOfBytes(5 * MIB)) })],
  ])('is accepted by %s', async (path, body) => {
    expect((await call('POST', path, { body: { model, ...body } })).status).toBe(200);
  });

  it('is answered 413 when it exceeds 8 MiB, and at endpoints that accept no images', async () => {
    const large = { model, input: [{ role: 'user', content: [{ type: 'input_image', image_url: photo(8 * MIB) }] }] };
    expect((await call('POST', '/v1/responses', { body: large })).status).toBe(413);
    const texts = { model, input: 'x'.repeat(MIB + 1) };
    expect((await call('POST', '/v1/embeddings', { body: texts })).status).toBe(413);
  });

  it('is answered 400 when it contains a text of more than a million characters', async () => {
    const { status, text } = await call('POST', '/v1/responses', { body: { model, input: 'x'.repeat(1_500_000) } });
    expect([status, text]).toEqual([400, expect.stringContaining('input')]);
  });
});
