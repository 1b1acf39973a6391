import type { Gate } from '@millwright/http';
import type { RequestHandler } from 'express';

/** The first step of every endpoint that strangers reach: counted by address before its body is read, and cached nowhere. */
export function countByAddress(gate: Gate): RequestHandler {
  return async (request, response, next) => {
    response.set('Cache-Control', 'no-store');
    await gate(request, response, 'public', false);
    next();
  };
}
