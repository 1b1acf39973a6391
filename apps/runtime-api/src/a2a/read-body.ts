import { isUtf8 } from 'node:buffer';
import { A2A_ERROR_CODE, ContentTypeNotSupportedError, RequestMalformedError } from '@a2a-js/sdk/errors';
import { AppError } from '@millwright/errors';
import { parseFields } from '@millwright/http';
import express, { type Request, type RequestHandler } from 'express';
import { z } from 'zod';

/** Bodies hold at most this much (decisions §1); the SDK's parsers, which stop at a tenth of it, find them read. */
export const readBytes: RequestHandler = express.raw({ type: () => true, limit: 1_048_576 });

/** A body that is no request at all, with the code that JSON-RPC has for it (JSON-RPC 2.0 §5.1). */
export class BodyFault extends Error {
  override readonly name = 'BodyFault';

  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

const notJson = () => new BodyFault(A2A_ERROR_CODE.PARSE_ERROR, 'The body is not JSON.');
export const notARequest = () => new BodyFault(A2A_ERROR_CODE.INVALID_REQUEST, 'The body is not a request.');

const Anything = z.looseObject({});

/**
 * The object in a body that was read; none, and `null`, as some clients of 0.3 write it, stand for an empty one.
 *
 * @throws BodyFault, A2AError
 */
export function bodyOf(request: Request, types: readonly string[]): Record<string, unknown> {
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  if (bytes.length === 0) return {};
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!types.includes(type)) throw new ContentTypeNotSupportedError(`The Content-Type must be ${types.join(' or ')}.`);
  const body = parseJson(bytes) ?? {};
  if (typeof body !== 'object' || Array.isArray(body)) throw notARequest();
  return guarded(body);
}

function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw notJson();
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw notJson();
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
