import { deflateSync } from 'node:zlib';
import { buildExtractWorker } from './build-worker.js';
import { readDocument, runExtraction, type Extraction, type ExtractionBudget } from './run-extraction.js';
import { docxOf, pdfOf } from './test-documents.js';

let workerUrl: URL;
beforeAll(async () => {
  workerUrl = await buildExtractWorker();
});

const extract = (
  name: string,
  bytes: Uint8Array | string,
  budget: ExtractionBudget = {},
  contentType = 'application/octet-stream',
) => runExtraction({ bytes: new Uint8Array(Buffer.from(bytes)), name, contentType }, { workerUrl, ...budget });

function passagesOf(extraction: Extraction) {
  if ('failure' in extraction) throw new Error(extraction.failure);
  return extraction.passages;
}

describe('the passages of a file', () => {
  it('are read from a PDF, each with its page', async () => {
    const file = pdfOf([['Refunds are paid within 14 days.'], ['Parcels to Iceland take nine days.']]);
    const passages = passagesOf(await extract('handbook.pdf', file));
    expect(passages).toEqual([
      { heading: '', page: 1, text: 'Refunds are paid within 14 days.\n\nParcels to Iceland take nine days.' },
    ]);
  });

  it('are read from a DOCX document with their headings and tables, but without deleted text', async () => {
    const paragraph = (text: string, style = '') =>
      `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;
    const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
    const file = docxOf(
      `${paragraph('Refunds', 'H1')}${paragraph('Paid within 14 &amp; a half days.')}<w:p><w:del><w:r><w:delText>Never.</w:delText></w:r></w:del></w:p><w:tbl><w:tr>${cell('Iceland')}${cell('9')}</w:tr></w:tbl>`,
    );
    expect(passagesOf(await extract('handbook.docx', file))).toEqual([
      { heading: 'Refunds', text: 'Paid within 14 & a half days.\n\nIceland  | 9  |' },
    ]);
  });

  it('are read from an HTML page with their headings, but without scripts', async () => {
    const page =
      '<!doctype html><head><title>No</title></head><script>no()</script><h1>Refunds</h1><p>Paid   within <b>14</b> days.</p><h2>Iceland</h2><ul><li>Nine<li>Ten</ul><h1>Else</h1><pre>a  b</pre>';
    expect(passagesOf(await extract('page', page))).toEqual([
      { heading: 'Refunds', text: 'Paid within 14 days.' },
      { heading: 'Refunds › Iceland', text: '- Nine\n\n- Ten' },
      { heading: 'Else', text: 'a  b' },
    ]);
  });

  it('are read from Markdown, with its source unchanged', async () => {
    const text =
      '---\ntitle: x\n---\n# Refunds\n\nPaid within **14** days.\n\n```\n# no heading\n```\n\n## Iceland\n\n| a | b |\n|---|---|\n| 1 | 2 |\n';
    expect(passagesOf(await extract('a.md', text))).toEqual([
      { heading: 'Refunds', text: 'Paid within **14** days.\n\n```\n# no heading\n```' },
      { heading: 'Refunds › Iceland', text: '| a | b |\n|---|---|\n| 1 | 2 |' },
    ]);
  });

  it('overlap within a section, have about 1,700 characters at most, and contain every sentence of the file', async () => {
    const sentences = Array.from({ length: 400 }, (_, n) => `Sentence ${n} has a few words.`);
    const passages = passagesOf(await extract('long.txt', sentences.join(' ')));
    expect(passages.length).toBeGreaterThan(5);
    for (const { text } of passages) expect(text.length).toBeLessThanOrEqual(1_710);
    for (const sentence of sentences) expect(passages.some(({ text }) => text.includes(sentence))).toBe(true);
    const repeated = sentences.filter((sentence) => passages.filter(({ text }) => text.includes(sentence)).length > 1);
    expect(repeated.length).toBeGreaterThanOrEqual(passages.length - 1);
  });

  it('are read from a UTF-16 text with a byte order mark', async () => {
    const text = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Müller', 'utf16le')]);
    expect(passagesOf(await extract('a.txt', text))).toEqual([{ heading: '', text: 'Müller' }]);
  });
});

describe('the text of a file', () => {
  const read = (bytes: Uint8Array, contentType = 'application/pdf') =>
    readDocument({ bytes: new Uint8Array(bytes), name: '', contentType }, { workerUrl });

  it('has all paragraphs in order, each of them once', async () => {
    const sentences = Array.from({ length: 400 }, (_, n) => `Sentence ${n} has a few words.`);
    expect(await read(Buffer.from(sentences.join(' ')), 'text/plain')).toEqual({ text: sentences.join(' ') });
    const pages = [['Refunds are paid within 14 days.'], ['Parcels to Iceland take nine days.']];
    expect(await read(pdfOf(pages))).toEqual({
      text: 'Refunds are paid within 14 days.\n\nParcels to Iceland take nine days.',
    });
  });

  it('is reported as no_text when the file has no text', async () => {
    expect(await read(pdfOf([[]]))).toEqual({ failure: 'no_text' });
  });
});

describe('a file without passages', () => {
  it.each<[string, string, () => Uint8Array | string, string]>([
    ['an image', 'a.png', () => Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff]), 'unsupported'],
    ['a ZIP without a document', 'a.zip', () => docxOf('').subarray(0, 4), 'damaged'],
    ['a PDF that is cut off', 'a.pdf', () => '%PDF-1.4\nnothing', 'damaged'],
    ['a PDF without text', 'a.pdf', () => pdfOf([[]]), 'no_text'],
    ['an empty file', 'a.txt', () => '  \n', 'no_text'],
    ['HTML that is nested 100,000 deep', 'a.html', () => '<div>'.repeat(100_000), 'too_complex'],
    ['Markdown that is nested 20,000 deep', 'a.md', () => `${'>'.repeat(20_000)} x`, 'too_complex'],
    ['a DOCX document that is nested deep', 'a.docx', () => docxOf('<w:p>'.repeat(10_000)), 'too_complex'],
    ['a text of four million characters', 'a.txt', () => 'Words and words.\n\n'.repeat(250_000), 'too_large'],
    ['a DOCX document that unpacks to 22 MB', 'a.docx', () => docxOf(' '.repeat(22_000_000)), 'too_large'],
  ])('is reported as failed with a clear reason: %s', async (_, name, bytes, failure) => {
    expect(await extract(name, bytes(), { memoryMb: 96, timeoutMs: 10_000 })).toEqual({ failure });
  });

  it('is reported as failed when its thread has used its processor time: a small PDF whose page has two million lines', async () => {
    const stream = deflateSync(Buffer.from('(words) Tj T*\n'.repeat(2_000_000)));
    expect(stream.length).toBeLessThan(200_000);
    expect(await extract('a.pdf', pdfOf([['x']], { stream }), { timeoutMs: 1_500 })).toEqual({
      failure: 'too_complex',
    });
  });

  it('is no longer parsed after the signal of the caller aborts', async () => {
    const abort = new AbortController();
    const reading = runExtraction(
      { bytes: new Uint8Array(Buffer.from('x')), name: 'a.txt', contentType: '' },
      { workerUrl },
      abort.signal,
    );
    abort.abort();
    await expect(reading).rejects.toThrow('aborted');
  });
});
