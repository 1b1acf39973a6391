import { AppError } from '@millwright/errors';
import type { RequestHandler } from 'express';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses changes by pages of other sites, which would use the browser's cookies. Browsers send `Sec-Fetch-Site` or `Origin`; a client that
 * sends neither is not a browser, so its cookies do not come from a page.
 */
export function requireSameOrigin(baseUrl: string): RequestHandler {
  return (request, _response, next) => {
    const { origin, 'sec-fetch-site': site } = request.headers;
    const foreign = (origin !== undefined && origin !== baseUrl) || (site !== undefined && site !== 'same-origin');
    if (!SAFE.has(request.method) && foreign) throw new AppError('forbidden');
    next();
  };
}
