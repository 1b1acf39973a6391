import { AppError } from '@millwright/errors';
import type { RequestHandler } from 'express';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses changes that a page of another site requests with the browser's cookies. Browsers send `Sec-Fetch-Site` or `Origin`. A client
 * that sends neither of these headers is not a browser, so no page can make it send its cookies.
 */
export function requireSameOrigin(baseUrl: string): RequestHandler {
  return (request, _response, next) => {
    const { origin, 'sec-fetch-site': site } = request.headers;
    const foreign = (origin !== undefined && origin !== baseUrl) || (site !== undefined && site !== 'same-origin');
    if (!SAFE.has(request.method) && foreign) throw new AppError('forbidden');
    next();
  };
}
