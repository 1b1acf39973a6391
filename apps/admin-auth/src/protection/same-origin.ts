import { AppError } from '@millwright/errors';
import type { RequestHandler } from 'express';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A page of another site must not act with the browser's cookies. Browsers say where a request comes from, in `Sec-Fetch-Site` and
 * `Origin`; whatever sends neither is no browser, and nobody's cookies ride on it.
 */
export function requireSameOrigin(baseUrl: string): RequestHandler {
  return (request, _response, next) => {
    const { origin, 'sec-fetch-site': site } = request.headers;
    const foreign = (origin !== undefined && origin !== baseUrl) || (site !== undefined && site !== 'same-origin');
    if (!SAFE.has(request.method) && foreign) throw new AppError('forbidden');
    next();
  };
}
