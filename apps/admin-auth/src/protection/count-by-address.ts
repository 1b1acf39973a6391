import type { Gate, LimitClass } from '@millwright/http';
import type { RequestHandler } from 'express';

type AddressClass = Extract<LimitClass, 'public' | 'sign-in'>;

/** Makes the first request handler of a page. It counts the request by session or, without a session, by IP address. */
export function countPage(gate: Gate, limit: AddressClass = 'public'): RequestHandler {
  return async (request, response, next) => {
    if (response.locals.signedIn) await gate(request, response, 'credential', 'session');
    else await gate(request, response, limit, 'public');
    next();
  };
}

/**
 * Makes the first request handler of an endpoint without a session. It counts the request by IP address before the body is read, and
 * disables caching of the answer.
 */
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
