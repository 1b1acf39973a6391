import type { RequestHandler } from 'express';
import { sendPage } from '../pages/html.js';
import { answerUrl, parseAuthorization, type ParsedAuthorization } from './authorization-request.js';

/** `GET /admin/oauth/authorize` (RFC 6749 §4.1.1): holds the passkey ceremony. */
export function authorizePage(baseUrl: string): RequestHandler {
  return (request, response) => {
    let parsed: ParsedAuthorization;
    try {
      parsed = parseAuthorization(new URL(request.originalUrl, baseUrl).searchParams, baseUrl);
    } catch {
      sendPage(
        response,
        400,
        'This request is not valid',
        `
<p>It does not come from this console, so nothing was sent back to where it came from.</p>
<p><a href="/admin/login">Start signing in again</a></p>`,
      );
      return;
    }
    if ('fault' in parsed) {
      response.redirect(303, answerUrl(baseUrl, { error: parsed.fault, state: parsed.state }));
      return;
    }
    sendPage(
      response,
      200,
      'Sign in',
      `
<p class="soft">With the passkey of your account.</p>
<form id="sign-in">
<label>Email <input id="email" name="email" type="email" autocomplete="username webauthn" maxlength="254" autofocus></label>
<p id="state" role="status" hidden><span class="spinner"></span>Processing...</p>
<p id="error" class="error" role="alert" hidden></p>
<button>Sign in with passkey</button>
</form>
<p class="soft">Leave the email empty to choose among the passkeys of this device. <a href="/admin/register">Register</a> · <a href="/admin/magic-link">Lost your passkey?</a></p>`,
      { script: 'authorize' },
    );
  };
}
