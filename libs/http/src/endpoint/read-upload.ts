import { createHash } from 'node:crypto';
import { finished, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Busboy, type BusboyConfig, type BusboyInstance } from '@fastify/busboy';
import { AppError, invalidField } from '@millwright/errors';
import type { Request } from 'express';
import type { z } from 'zod';
import type { Save, Upload } from '../contract/contract.js';
import { parseFields } from '../body/parse.js';
import { mediaType, notOfType } from '../body/read-body.js';

const FORM = 'multipart/form-data';
const MAX_PARTS = 10;
const MAX_FIELD_BYTES = 8_192;
/** Maximum bytes of a form, not counting its file: the fields, and the headers and boundaries of all parts. */
const MAX_OVERHEAD_BYTES = 131_072;
/**
 * Milliseconds for which the rest of a refused upload is read and dropped. If the connection were closed while the
 * client still sends, the client would not read the answer.
 */
const LINGER_MS = 2_000;

const MALFORMED = () => invalidField('body', `must be well-formed ${FORM}`);

/**
 * Streams the part `file` of a form (RFC 7578) into `save` and hashes it. The part may be before, between or after the
 * fields.
 *
 * @throws AppError unsupported_media_type, payload_too_large, validation_error. `save` has then failed, was not called,
 *   or has stored a file that the caller must remove.
 */
export async function readUpload<Schema extends z.ZodObject>(
  request: Request,
  schema: Schema,
  save: Save,
  maxBytes: number,
): Promise<Upload<z.output<Schema>>> {
  if (mediaType(request) !== FORM) throw notOfType(FORM);
  try {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes + MAX_OVERHEAD_BYTES)
      throw new AppError('payload_too_large');
    const { file, fields } = await readForm(request, save, maxBytes);
    if (!file) throw invalidField('file', 'is required');
    const parsed = parseFields(schema, fields);
    if (file.size === 0) throw invalidField('file', 'must not be empty');
    return { fields: parsed, ...file };
  } catch (error) {
    await linger(request);
    throw error;
  }
}

type SavedFile = Omit<Upload<never>, 'fields'>;

async function readForm(request: Request, save: Save, maxBytes: number) {
  const form = openForm(request);
  const fields = new Map<string, string>();
  const end = Promise.withResolvers<undefined>();
  let stream: Readable | undefined;
  let saving: Promise<SavedFile> | undefined;
  const refuse = (field: string, reason: string) => end.reject(invalidField(field.slice(0, 200), reason));

  form.on('field', (name: string | undefined, value, _nameTruncated, truncated) => {
    if (name === undefined) refuse('body', 'has a part without a name');
    else if (fields.has(name)) refuse(name, 'must be given once');
    else if (truncated) refuse(name, `must have at most ${MAX_FIELD_BYTES} bytes`);
    else fields.set(name, value);
  });
  form.on('file', (_name, part, _filename, _encoding, type) => {
    stream = part;
    saving = saveMeasured(part, type, save, maxBytes);
    saving.catch(end.reject);
  });
  form.once('filesLimit', () => refuse('file', 'must be given once'));
  form.once('partsLimit', () => refuse('body', `must have at most ${MAX_PARTS} parts`));
  form.once('finish', () => end.resolve(undefined));
  form.on('error', () => end.reject(MALFORMED()));
  // An aborted request never emits `end`, so the wait ends with an error, which no client receives.
  const unwatch = finished(request, { writable: false }, (error) => error && end.reject(MALFORMED()));
  request.pipe(form);
  try {
    await end.promise;
    return { file: await saving, fields: Object.fromEntries(fields) };
  } catch (error) {
    request.unpipe(form);
    stream?.destroy(error as Error);
    await saving?.catch(() => undefined); // the reported error is the failure of `save`, or the error that caused it
    throw error;
  } finally {
    unwatch();
  }
}

function openForm(request: Request): BusboyInstance {
  const limits = { files: 1, parts: MAX_PARTS, fieldSize: MAX_FIELD_BYTES, headerPairs: 20, headerSize: 8_192 };
  const isPartAFile = (name: string | undefined) => name === 'file';
  try {
    return new Busboy({ headers: request.headers as BusboyConfig['headers'], limits, isPartAFile });
  } catch (error) {
    throw new AppError('validation_error', { cause: error, fields: MALFORMED().fields });
  }
}

async function saveMeasured(part: Readable, type: string, save: Save, maxBytes: number): Promise<SavedFile> {
  const hash = createHash('sha256');
  const chunks: AsyncIterable<Buffer> = part;
  let size = 0;
  async function* measured() {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > maxBytes) throw new AppError('payload_too_large');
      hash.update(chunk);
      yield chunk;
    }
  }
  await save(Readable.from(measured(), { objectMode: false }));
  return { size, sha256: hash.digest(), content_type: mediaTypeOf(type) };
}

/**
 * Returns a valid media type (RFC 9110 §8.3.1) unchanged. For any other text, returns the media type of unknown bytes.
 */
function mediaTypeOf(type: string): string {
  const token = "[a-z0-9!#$&^_.+'*`|~%-]{1,100}";
  return new RegExp(`^${token}/${token}$`).test(type) ? type : 'application/octet-stream';
}

async function linger(request: Request): Promise<void> {
  if (request.complete || request.destroyed) return;
  const done = new AbortController();
  request.once('close', () => done.abort());
  request.once('end', () => done.abort());
  request.resume();
  await sleep(LINGER_MS, undefined, { signal: done.signal }).catch(() => undefined); // the request ended before the pause
}
