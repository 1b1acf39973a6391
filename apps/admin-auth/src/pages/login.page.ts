import type { RequestHandler } from 'express';
import { redirectTarget } from '../protection/redirect-target.js';
import type { CookieWriter } from '../sessions/cookies.js';
import { contextOf } from '../sessions/user-context.js';
import { escapeHtml, sendPage } from './html.js';

/** `GET /admin/login`: starts the sign-in flow by itself, ends it when it comes back with a code. */
export function loginPage(cookies: CookieWriter): RequestHandler {
  return (request, response) => {
    const target = redirectTarget(request.query['redirect']);
    const isCallback = 'code' in request.query || 'error' in request.query;
    if (contextOf(request) && !isCallback) {
      response.set('Cache-Control', 'no-store').redirect(303, target ?? '/admin');
      return;
    }
    if (!isCallback) cookies.clearSession(response);
    const again = target === undefined ? '/admin/login' : `/admin/login?redirect=${encodeURIComponent(target)}`;
    const content = `
<p id="state" role="status" data-target="${escapeHtml(target ?? '/admin')}"><span class="spinner"></span>Processing...</p>
<p id="error" class="error" role="alert" hidden></p>
<p id="retry" hidden><a class="button" href="${escapeHtml(again)}">Try again</a></p>
<noscript><p class="error">Signing in with a passkey needs JavaScript.</p></noscript>
<p class="soft"><a href="/admin/register">Register</a> · <a href="/admin/magic-link">Lost your passkey?</a></p>`;
    sendPage(response, 200, 'Sign in', content, { script: 'login' });
  };
}
