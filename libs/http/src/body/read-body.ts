import { isUtf8 } from 'node:buffer';
import { isStorable } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { jsonShapeOf } from '@millwright/json';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { TextType } from '../contract/contract.js';
import { createLoopTurns } from './large-turns.js';
import { guardTree } from './parse.js';

/** Maximum size of a body in bytes, both compressed and decompressed. */
export const BODY_BYTES = 1_048_576;
/** Maximum size in bytes of a body with images and files. */
export const LARGE_BODY_BYTES = 8 * BODY_BYTES;
/**
 * Maximum number of values in a large body. Many small values take far more memory than the text in which they arrive.
 */
const LARGE_BODY_VALUES = 200_000;

const jsonParser = (limit: number): RequestHandler =>
  express.json({ limit, strict: false, type: isJson, verify: requireText });
const parser = jsonParser(BODY_BYTES);
/** Receives the bytes of a large body. Parsing happens later, in a separate turn of the event loop. */
const largeBytes: RequestHandler = express.raw({ limit: LARGE_BODY_BYTES, type: isJson, inflate: false });
const largeTurn = createLoopTurns();

/**
 * Refuses two kinds of bodies that body-parser accepts: an empty body, which it reads as `{}`, and invalid UTF-8, which
 * it replaces (RFC 8259 §8.1).
 */
function requireText(_request: unknown, _response: unknown, bytes: Buffer, encoding: string): void {
  if (bytes.length === 0) throw new Error('the body is empty');
  if (encoding === 'utf-8' && !isUtf8(bytes)) throw new Error('the body is not UTF-8');
  requireFewValues(bytes);
}

/**
 * Refuses a large JSON text that contains more values than a large body may have.
 * @throws AppError payload_too_large for such a text
 */
export function requireFewValues(bytes: Buffer): void {
  if (bytes.length > BODY_BYTES && jsonShapeOf(bytes.toString('latin1'), 0).values > LARGE_BODY_VALUES)
    throw new AppError('payload_too_large');
}

/**
 * Whether a request announces a JSON body above the usual size. A body that is compressed or announces no size has the
 * usual limit, because the memory that it needs is not known before it is read.
 */
export function statesLargeBody(request: Pick<Request, 'headers'>): boolean {
  const { 'content-length': length = 0, 'content-encoding': encoding } = request.headers;
  return isJson(request) && encoding === undefined && Number(length) > BODY_BYTES;
}

export function mediaType({ headers }: { headers: Request['headers'] }): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export function notOfType(type: string): AppError {
  return new AppError('unsupported_media_type', { fields: [{ field: 'Content-Type', reason: `must be ${type}` }] });
}

const charsetOf = ({ headers }: { headers: Request['headers'] }): string =>
  (/;\s*charset="?([^\s;"]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8').toLowerCase();

/** Whether a body is `application/json` or `application/*+json`, with any parameters. */
function isJson(request: { headers: Request['headers'] }): boolean {
  const type = mediaType(request);
  return type === 'application/json' || /^application\/[a-z0-9.-]+\+json$/.test(type);
}

/** Error codes by the `type` that body-parser documents for its failures. */
const FAILURES: Readonly<Record<string, 'bad_request' | 'payload_too_large' | 'unsupported_media_type'>> = {
  'entity.too.large': 'payload_too_large',
  'encoding.unsupported': 'unsupported_media_type',
  'charset.unsupported': 'unsupported_media_type',
};

/** Whether a request has content (RFC 9112 §6.3). */
export function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

async function run(parse: RequestHandler, request: Request, response: Response): Promise<unknown> {
  await new Promise<void>((resolve, reject) => {
    void parse(request, response, (error?: unknown) => {
      if (error === undefined) return resolve();
      if (error instanceof AppError) return reject(error);
      const type = (error as { type?: unknown }).type;
      reject(new AppError((typeof type === 'string' && FAILURES[type]) || 'bad_request', { cause: error }));
    });
  });
  return request.body;
}

/** Reads a large JSON body, in a separate turn of the event loop. */
async function readLarge(request: Request, response: Response): Promise<unknown> {
  const charset = charsetOf(request);
  if (charset !== 'utf-8') throw notOfType('application/json; charset=utf-8');
  const bytes = await run(largeBytes, request, response);
  // Frees the memory of the bytes: they are not needed after parsing, and the request may take minutes.
  request.body = undefined;
  await largeTurn();
  try {
    if (!Buffer.isBuffer(bytes)) throw new Error('the body is empty');
    requireText(request, response, bytes, charset);
    // TextDecoder removes a byte order mark, as happens with small bodies.
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError('bad_request', { cause });
  }
}

/**
 * Reads a JSON object. With `isLarge`, the body may have up to 8 MiB, and the caller has reserved a place for it.
 *
 * @throws AppError unsupported_media_type, payload_too_large, bad_request (empty, not JSON, not an object),
 *   validation_error.
 */
export async function readJsonBody(
  request: Request,
  response: Response,
  isLarge = false,
): Promise<Record<string, unknown>> {
  if (!hasBody(request)) throw new AppError('bad_request');
  if (!isJson(request)) throw notOfType('application/json');
  const body = await (isLarge ? readLarge(request, response) : run(parser, request, response));
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new AppError('bad_request');
  guardTree(body);
  return body as Record<string, unknown>;
}

const bytesParser: RequestHandler = express.raw({ limit: BODY_BYTES, type: () => true });

/**
 * Reads a UTF-8 text of the given media type. An empty text is accepted.
 *
 * @throws AppError unsupported_media_type, payload_too_large, bad_request (not in its declared encoding), validation_error.
 */
export async function readTextBody(request: Request, response: Response, type: TextType): Promise<string> {
  if (mediaType(request) !== type || charsetOf(request) !== 'utf-8') throw notOfType(`${type}; charset=utf-8`);
  const body = await run(bytesParser, request, response);
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  if (!isUtf8(bytes)) throw invalidField('body', 'must be UTF-8');
  const text = bytes.toString();
  if (!isStorable(text)) throw invalidField('body', 'must be text without NUL characters');
  return text;
}
