import { isUtf8 } from 'node:buffer';
import type { Caller } from '@millwright/auth';
import { isBase64, readDocument, type ExtractFailure, type ExtractionBudget } from '@millwright/documents';
import { invalidField } from '@millwright/errors';
import { createShares } from '@millwright/http';

const FILE = /^data:([\w./+-]+)(?:;charset=[\w-]+)?;base64,/;

/** Parses a data URL in base64. For any other text, `type` and `base64` are empty. */
function parseFile(url: string): { type: string; base64: string } {
  const [prefix = '', type = ''] = FILE.exec(url) ?? [];
  const base64 = url.slice(prefix.length);
  return prefix !== '' && (base64 === '' || isBase64(base64)) ? { type, base64 } : { type: '', base64: '' };
}

const TEXT_TYPES = /^(?:text\/[\w.+-]+|application\/(?:[\w.-]+\+)?(?:json|xml|yaml)|application\/x-(?:yaml|ndjson))$/;
const DOCUMENT_TYPES = new Set([
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
]);

/** Limit of processor time for one document in milliseconds, because a caller waits for the result. */
const READ_MS = 10_000;
/** Maximum number of documents in one request. The limits of time and memory apply to each document. */
const MOST_DOCUMENTS = 10;
/** Maximum number of characters of a file's name that the model receives. */
const NAME_LENGTH = 255;

const FORMS =
  'must be a data URL of a PDF or DOCX document, or of a text in UTF-8 (text, JSON, XML or YAML), in base64';
const FAILURES: Readonly<Record<ExtractFailure, string>> = {
  unsupported: FORMS,
  damaged: 'cannot be read: it is damaged, or of another format than it states',
  encrypted: 'needs a password: send it without one',
  no_text: 'has no text: send pages that are images as images',
  too_large: 'has too much text: at most 750,000 characters and 3,000 pages; split it',
  too_complex: 'takes too much time or memory to read: split it, or send its text',
};

/** A file of a request, in the fields of OpenAI. */
export interface RequestFile {
  file_data?: string | null | undefined;
  filename?: string | null | undefined;
  file_id?: string | null | undefined;
  file_url?: string | null | undefined;
}

/**
 * Returns the text of a file in a request. The text begins with the file's name.
 *
 * @throws AppError validation_error for `field` when the file cannot be read; rate_limited
 */
export type ReadFile = (file: RequestFile, field: string) => Promise<{ text: string }>;

/** Reads the texts of files in requests. The process reads one document at a time, and each user has at most one document in the queue. */
export function createFileReader(extraction: ExtractionBudget = {}) {
  const users = createShares(1);
  const all = createShares(1);
  const nobodyLeaves = new AbortController().signal;

  async function readText(user: string, source: Parameters<typeof readDocument>[0], field: string): Promise<string> {
    const giveBack = await users.take(user, () => nobodyLeaves);
    try {
      const giveBackAll = await all.take('', () => nobodyLeaves);
      try {
        const read = await readDocument(source, { timeoutMs: READ_MS, ...extraction });
        if ('failure' in read) throw invalidField(field, FAILURES[read.failure]);
        return read.text;
      } finally {
        giveBackAll();
      }
    } finally {
      giveBack();
    }
  }

  /** Returns the function that reads the files of one request. */
  return (caller: Caller): ReadFile => {
    let documents = 0;
    return async (file, field) => {
      requireData(file, field);
      const { file_data: data = '', filename } = file;
      const name = filename?.slice(0, NAME_LENGTH) ?? '';
      const place = `${field}.file_data`;
      const { type, base64 } = parseFile(data ?? '');
      const bytes = Buffer.from(base64, 'base64');
      const contentType = type.toLowerCase();
      if (!DOCUMENT_TYPES.has(contentType)) {
        if (!TEXT_TYPES.test(contentType) || !isUtf8(bytes)) throw invalidField(place, FORMS);
        return namedText(bytes.toString(), name);
      }
      documents += 1;
      if (documents > MOST_DOCUMENTS)
        throw invalidField(place, `is one too many: at most ${MOST_DOCUMENTS} documents are read of a request`);
      // Copy the bytes, so that the thread does not receive the rest of the pool's memory.
      const source = { bytes: new Uint8Array(bytes), name, contentType };
      return namedText(await readText(caller.actor.userId, source, place), name);
    };
  };
}
export type FileReader = ReturnType<typeof createFileReader>;

function requireData({ file_data: data, file_id: id, file_url: url }: RequestFile, field: string): void {
  if (typeof data === 'string') return;
  if (typeof url === 'string')
    throw invalidField(`${field}.file_url`, 'is not supported, because addresses are not fetched: send file_data');
  if (typeof id === 'string') throw invalidField(`${field}.file_id`, 'is not supported: send the file as file_data');
  throw invalidField(`${field}.file_data`, 'is required');
}

export const namedText = (text: string, name: string | null | undefined): { text: string } => ({
  text: name ? `File ${name}:\n${text}` : text,
});
