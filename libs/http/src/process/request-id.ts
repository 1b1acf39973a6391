import { randomBytes, randomUUID } from 'node:crypto';
import type { Request } from 'express';

const wellFormed = /^[A-Za-z0-9._-]{1,128}$/;
const completed = /^[A-Za-z0-9._-]{1,128}(?:~[0-9a-f]{16})?$/;

/** The id of a request, in its audit rows and log lines. No other request has it, whatever ids clients choose. */
export function requestIdOf({ headers }: Pick<Request, 'headers'>): string {
  const kept = headers['x-request-id'];
  return typeof kept === 'string' && completed.test(kept) ? kept : assignRequestId({ headers }, false);
}

/**
 * Keeps the request's id in its header `X-Request-Id`: a generated one, or that of the client, completed by `~` and 64 random bits. A
 * proxy of ours has done so already: its id stays as it is.
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

/** The id as it is returned to the client: the one that it sent, or the generated one. */
export const echoedRequestId = (id: string): string => id.replace(/~.*$/, '');
