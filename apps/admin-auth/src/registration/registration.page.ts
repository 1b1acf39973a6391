import type { RequestHandler } from 'express';
import { escapeHtml, sendPage } from '../pages/html.js';
import type { PasskeyStore } from '../passkeys/passkeys.store.js';

export function registrationPage({ allowRegistration }: { allowRegistration: boolean }): RequestHandler {
  const closed =
    '<p class="soft">Registration is closed here. An account that an administrator made for you can still be claimed.</p>';
  const content = `
<p class="soft">You sign in with a passkey. There is no password.</p>${allowRegistration ? '' : closed}
<form data-api="/admin/api/register" data-then="setup_url">
<label>Name <input name="name" autocomplete="name" required maxlength="200" autofocus></label>
<label>Email <input name="email" type="email" autocomplete="email" required maxlength="254"></label>
<label>Role <select name="role"><option value="user">User</option><option value="admin">Administrator</option></select></label>
<p class="error" role="alert" hidden></p>
<p class="done" role="status" hidden>This account is not set up here. If it is yours, <a href="/admin/login">sign in</a> or ask an administrator for a setup link.</p>
<button>Register</button>
</form>
<p><a href="/admin/login">Sign in instead</a></p>`;
  return (_request, response) => sendPage(response, 200, 'Register', content, { script: 'forms' });
}

/** `/admin/add-passkey` says what comes, `/admin/verify-pending` does it. Both need a live setup token. */
export function setupPages(passkeys: PasskeyStore): Record<'addPasskey' | 'verifyPending', RequestHandler> {
  const withToken =
    (title: string, script: 'enrol' | undefined, render: (token: string, email: string) => string): RequestHandler =>
    async (request, response) => {
      const { token } = request.query;
      const found =
        typeof token === 'string' && token.length <= 200 ? await passkeys.ownerOfSetupToken(token) : undefined;
      if (!found || typeof token !== 'string') {
        sendPage(
          response,
          403,
          'This link is not valid',
          `
<p>A setup link works once and for a limited time. This one was used, has expired or is incomplete.</p>
<p><a href="/admin/login">Sign in</a> if you have a passkey, <a href="/admin/register">register again</a>, or ask an administrator for a new link.</p>`,
        );
        return;
      }
      sendPage(
        response,
        200,
        title,
        render(escapeHtml(token), escapeHtml(found.owner.email)),
        script ? { script } : {},
      );
    };
  return {
    addPasskey: withToken(
      'Add your passkey',
      undefined,
      (token, email) => `
<p>The passkey for <strong>${email}</strong> is kept by this device, your phone or a security key. It is the only way to sign in.</p>
<form action="/admin/verify-pending" method="get">
<input type="hidden" name="token" value="${token}">
<label>Name of this passkey <input name="name" value="My passkey" required maxlength="100"></label>
<button>Create passkey</button>
</form>`,
    ),
    verifyPending: withToken(
      'Creating your passkey',
      'enrol',
      (token, email) => `
<p>For <strong>${email}</strong>. Follow your browser's instructions.</p>
<p id="state" role="status" data-token="${token}"><span class="spinner"></span>Processing...</p>
<p id="error" class="error" role="alert" hidden></p>
<button id="retry" hidden>Try again</button>`,
    ),
  };
}
