import type { RequestHandler } from 'express';
import { redirectTarget } from '../protection/redirect-target.js';
import type { CookieWriter } from '../sessions/cookies.js';
import { startPage } from './home-page.js';
import type { SendPage } from './send-page.js';

/** `GET /admin/login`: starts the sign-in flow, and ends it when the browser returns with a code. */
export function loginPage(cookies: CookieWriter, sendPage: SendPage): RequestHandler {
  return (request, response) => {
    const target = redirectTarget(request.query['redirect']);
    const isCallback = 'code' in request.query || 'error' in request.query;
    if (response.locals.signedIn && !isCallback) {
      response.set('Cache-Control', 'no-store').redirect(303, startPage(response.locals.signedIn.roles, target));
      return;
    }
    if (!isCallback) cookies.clearSession(response);
    sendPage(response, 200, { name: 'login', title: 'Sign in', data: { target: target ?? '/admin' } });
  };
}
