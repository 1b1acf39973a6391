import type { Gate } from '@millwright/http';
import type { RequestHandler } from 'express';

/**
 * Everything below `/admin` and `/bridge-auth` that is not public needs a session: a page sends the browser to sign in and come
 * back, anything else is refused (spec, "Route protection"; decisions §6 A).
 */
export function requireSession(gate: Gate): RequestHandler {
  return async (request, response, next) => {
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !request.path.startsWith('/admin/api/');
    if (!isPage) {
      await gate(request, response, 'credential', true);
      next();
      return;
    }
    // The path and query alone: a request line may hold a whole URL, and the browser is sent where this says.
    const { pathname, search } = new URL(request.originalUrl, 'http://path.invalid');
    response.set('Cache-Control', 'no-store');
    response.redirect(303, `/admin/login?redirect=${encodeURIComponent(pathname + search)}`);
  };
}
