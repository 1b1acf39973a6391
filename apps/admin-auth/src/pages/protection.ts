import { AppError } from '@millwright/errors';
import type { RequestHandler } from 'express';

/**
 * Everything below `/admin` and `/bridge-auth` that is not public needs a session: a page sends the browser to sign in and come
 * back, anything else is refused (spec, "Route protection"; decisions §6 A).
 */
export const requireSession: RequestHandler = (request, response) => {
  const isPage = (request.method === 'GET' || request.method === 'HEAD') && !request.path.startsWith('/admin/api/');
  if (!isPage) throw new AppError('unauthorized');
  response.set('Cache-Control', 'no-store');
  response.redirect(303, `/admin/login?redirect=${encodeURIComponent(request.originalUrl)}`);
};
