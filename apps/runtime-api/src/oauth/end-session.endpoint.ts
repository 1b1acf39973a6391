import { AppError } from '@millwright/errors';
import type { Gate } from '@millwright/http';
import express, { Router, type RequestHandler } from 'express';
import { FORM, parametersOf } from './browser-parameters.js';

export interface EndSessionOptions {
  gate: Gate;
  /** The address of admin-auth. */
  baseUrl: string;
}

const PATH = '/oauth/end_session';

/** The supported parameters. A repeated parameter is left out. */
const PARAMETERS = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state'];

/** Maximum length of a parameter. */
const MAX_LENGTH = 4_096;

/**
 * `GET` and `POST /oauth/end_session` (OpenID Connect RP-Initiated Logout 1.0 §2): redirects the browser to admin-auth, which has the
 * browser's session.
 */
export function endSessionEndpoint({ gate, baseUrl }: EndSessionOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const guard: RequestHandler = async (request, response, next) => {
    response.locals.route = PATH;
    response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    await gate(request, response, 'public', 'public');
    next();
  };
  const leave: RequestHandler = (request, response) => {
    const given = parametersOf(request);
    const kept = PARAMETERS.flatMap((name) => {
      const values = given.getAll(name).filter((value) => value.length <= MAX_LENGTH);
      return values.length === 1 ? [[name, values[0] ?? ''] as [string, string]] : [];
    });
    response.redirect(303, `${baseUrl}/admin/oauth/end-session?${new URLSearchParams(kept).toString()}`);
  };
  router.get(PATH, guard, leave);
  router.post(PATH, guard, express.text({ type: FORM, limit: 65_536 }), leave);
  router.all(PATH, guard, () => {
    throw new AppError('method_not_allowed', { headers: { Allow: 'GET, HEAD, POST' } });
  });
  return router;
}
