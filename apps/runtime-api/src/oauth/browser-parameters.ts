import type { Request } from 'express';

export const FORM = 'application/x-www-form-urlencoded';

/**
 * The parameters from the query or the form of a browser's request (RFC 6749 §3.1). Their values are not escaped, so pages must escape
 * them.
 */
export function parametersOf(request: Request): URLSearchParams {
  const { searchParams } = new URL(request.originalUrl, 'http://path.invalid');
  return request.method === 'POST'
    ? new URLSearchParams(typeof request.body === 'string' ? request.body : '')
    : searchParams;
}
