import { randomBytes, randomUUID } from 'node:crypto';
import type { Request } from 'express';

const wellFormed = /^[A-Za-z0-9._-]{1,128}$/;
const completed = /^[A-Za-z0-9._-]{1,128}(?:~[0-9a-f]{16})?$/;

/** The id of a request in its audit rows and log lines. It is unique, even when clients send equal ids. */
export function requestIdOf({ headers }: Pick<Request, 'headers'>): string {
  const kept = headers['x-request-id'];
  return typeof kept === 'string' && completed.test(kept) ? kept : assignRequestId({ headers }, false);
}

/**
 * Stores the request's id in its header `X-Request-Id`: a generated id, or the client's id followed by `~` and 64
 * random bits. An id that our own proxy set stays unchanged.
 */
export function assignRequestId({ headers }: Pick<Request, 'headers'>, isFromOurProxy: boolean): string {
  const sent = headers['x-request-id'];
  const text = typeof sent === 'string' ? sent : '';
  const isOurs = isFromOurProxy && completed.test(text);
  const fresh = wellFormed.test(text) ? `${text}~${randomBytes(8).toString('hex')}` : randomUUID();
  const id = isOurs ? text : fresh;
  headers['x-request-id'] = id;
  return id;
}

/** The id that is returned to the client: the client's own id, or the generated id. */
export const echoedRequestId = (id: string): string => id.replace(/~.*$/, '');
