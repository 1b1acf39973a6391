import { randomUUID } from 'node:crypto';
import type { Request } from 'express';

const identifiers = new WeakMap<object, string>();
const wellFormed = /^[A-Za-z0-9._-]{1,128}$/;

/** The request's `X-Request-Id` when it is well-formed, else one made here; the same for every call with that request. */
export function requestIdOf(request: Pick<Request, 'headers'>): string {
  const known = identifiers.get(request);
  if (known !== undefined) return known;
  const sent = request.headers['x-request-id'];
  const id = typeof sent === 'string' && wellFormed.test(sent) ? sent : randomUUID();
  identifiers.set(request, id);
  return id;
}
