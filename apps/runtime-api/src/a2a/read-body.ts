import { isUtf8 } from 'node:buffer';
import { ContentTypeNotSupportedError, RequestMalformedError } from '@a2a-js/sdk/errors';
import { AppError } from '@millwright/errors';
import { parseFields } from '@millwright/http';
import express, { type Request, type RequestHandler } from 'express';
import { z } from 'zod';

/** Bodies hold at most this much (decisions §1); the SDK's parsers, which stop at a tenth of it, find them read. */
export const readBytes: RequestHandler = express.raw({ type: () => true, limit: 1_048_576 });

/** The text of a body is no JSON at all. */
export class NotJson extends Error {
  override readonly name = 'NotJson';
}

const Anything = z.looseObject({});

/**
 * The object in a body that was read; none, and `null`, as some clients of 0.3 write it, stand for an empty one.
 *
 * @throws NotJson, A2AError
 */
export function bodyOf(request: Request, types: readonly string[]): Record<string, unknown> {
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  if (bytes.length === 0) return {};
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!types.includes(type)) throw new ContentTypeNotSupportedError(`The Content-Type must be ${types.join(' or ')}.`);
  const body = parseJson(bytes) ?? {};
  if (typeof body !== 'object' || Array.isArray(body)) throw new RequestMalformedError('The body must be an object.');
  return guarded(body);
}

function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new NotJson();
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new NotJson();
  }
}

/** Names, depth and texts as everywhere (decisions §1). */
function guarded(body: object): Record<string, unknown> {
  try {
    return parseFields(Anything, body);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const reasons = error.fields.map(({ field, reason }) => `${field}: ${reason}`).join('; ');
    throw new RequestMalformedError(reasons || error.message);
  }
}
