import type { Gate, LimitClass } from '@millwright/http';
import type { RequestHandler } from 'express';

type AddressClass = Extract<LimitClass, 'public' | 'sign-in'>;

/** The first step of a page: a count by session, or by IP address without one. */
export function countPage(gate: Gate, limit: AddressClass = 'public'): RequestHandler {
  return async (request, response, next) => {
    if (response.locals.signedIn) await gate(request, response, 'credential', 'session');
    else await gate(request, response, limit, 'public');
    next();
  };
}

/** The first step of an endpoint without a session: a count by IP address before the body is read, and no caching. */
export function countByAddress(
  gate: Gate,
  access: 'public' | 'setup' = 'public',
  limit: AddressClass = 'public',
): RequestHandler {
  return async (request, response, next) => {
    response.set('Cache-Control', 'no-store');
    await gate(request, response, limit, access);
    next();
  };
}
