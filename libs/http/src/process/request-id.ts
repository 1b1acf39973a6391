import { randomUUID } from 'node:crypto';
import type { Request } from 'express';

const wellFormed = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * The request's `X-Request-Id` when it is well-formed, else a generated one, which is kept in that header: every call with that
 * request returns the same id.
 */
export function requestIdOf({ headers }: Pick<Request, 'headers'>): string {
  const sent = headers['x-request-id'];
  if (typeof sent === 'string' && wellFormed.test(sent)) return sent;
  const id = randomUUID();
  headers['x-request-id'] = id;
  return id;
}
