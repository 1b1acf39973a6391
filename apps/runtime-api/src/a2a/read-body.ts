import { isUtf8 } from 'node:buffer';
import { A2A_ERROR_CODE, ContentTypeNotSupportedError, RequestMalformedError } from '@a2a-js/sdk/errors';
import { AppError } from '@millwright/errors';
import { parseFields } from '@millwright/http';
import { LARGE_BODY_BYTES, requireFewValues } from '@millwright/http/protocol';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';

const parserOf = (limit: number): RequestHandler => express.raw({ type: () => true, limit });
const parseBytes = parserOf(1_048_576);
const parseLarge = parserOf(LARGE_BODY_BYTES);

/**
 * Reads a body of at most 1 MiB. With `isLarge`, the body has images and may have up to 8 MiB, and the caller has reserved room for it. The
 * SDK's parsers, whose limit is a tenth of 1 MiB, skip a body that has already been read.
 */
export function readBytes(request: Request, response: Response, isLarge = false): Promise<void> {
  return new Promise((resolve, reject) => {
    void (isLarge ? parseLarge : parseBytes)(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(error instanceof Error ? error : new Error('the body cannot be read', { cause: error }));
    });
  });
}

/** A fault of a body that is not a valid request, with the code of JSON-RPC for this fault (JSON-RPC 2.0 §5.1). */
export class BodyFault extends Error {
  override readonly name = 'BodyFault';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const notJson = () => new BodyFault(A2A_ERROR_CODE.PARSE_ERROR, 'The body is not JSON.');
export const notARequest = () => new BodyFault(A2A_ERROR_CODE.INVALID_REQUEST, 'The body is not a request.');

const Anything = z.looseObject({});

/**
 * Returns the object that a body contains. An empty body, and the `null` that some clients of 0.3 send, count as an empty object.
 *
 * @throws BodyFault when the body is not JSON or not an object; A2AError for another content type, or for invalid names, depth or texts; AppError
 * payload_too_large for too many values
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
  requireFewValues(bytes);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw notJson();
  }
}

/** Checks the limits of every body: names of fields, depth and texts. */
function guarded(body: object): Record<string, unknown> {
  try {
    return parseFields(Anything, body);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const reasons = error.fields.map(({ field, reason }) => `${field}: ${reason}`).join('; ');
    throw new RequestMalformedError(reasons || error.message);
  }
}
