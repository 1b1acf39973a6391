import { callerOf } from '@millwright/auth';
import { requestIdOf } from '@millwright/http';
import type { RequestHandler } from 'express';
import { escapeHtml, sendPage } from '../pages/html.js';
import { signedIn } from '../pages/navigation.js';
import { deciderOf } from './consent.routes.js';
import { grantableScopes, type AskedConsent, type ConsentStore } from './consent.store.js';

/** `/admin/consent?request=`: what an application asks for, and from where. One that was let in before goes on by itself. */
export function consentPage(consents: ConsentStore): RequestHandler {
  return signedIn(async ({ principal }, request, response) => {
    const name = request.query['request'];
    const asked = typeof name === 'string' && name.length <= 200 ? await consents.findAsked(name) : undefined;
    if (!asked || typeof name !== 'string') {
      sendPage(
        response,
        404,
        'This request is over',
        '<p>It was answered already, or it took more than ten minutes.</p><p>Go back to the application and begin again there.</p>',
      );
      return;
    }
    const decider = deciderOf(
      principal,
      callerOf(principal, { requestId: requestIdOf(request), ip: request.ip ?? '' }),
    );
    const scopes = grantableScopes(decider, asked);
    if (scopes.length === 0) {
      sendPage(response, 403, 'Not with this account', refusal(asked, principal.user.email));
      return;
    }
    const goOn = await consents.isRemembered(decider, asked, scopes);
    sendPage(
      response,
      200,
      goOn ? 'Signing you in' : 'Let this application in?',
      form(name, asked, scopes, principal.user.email, goOn),
      {
        script: 'consent',
      },
    );
  });
}

function refusal({ clientName }: AskedConsent, email: string): string {
  return `
<p><strong>${escapeHtml(clientName)}</strong> asks for more than the account <strong>${escapeHtml(email)}</strong> may do.</p>
<p>Nothing was shared. <a href="/admin/login">Sign in with another account</a> and begin again in the application, or ask an administrator.</p>`;
}

function form(request: string, asked: AskedConsent, scopes: readonly string[], email: string, goOn: boolean): string {
  const { clientName, clientId, kind, redirectUri, allLoopback } = asked;
  const from = kind === 'document' ? ` from <strong>${escapeHtml(new URL(clientId).host)}</strong>` : '';
  const items = scopes.map((scope) => `<li><code>${escapeHtml(scope)}</code></li>`).join('');
  const warning = allLoopback
    ? '<p role="note">The answer goes to a program on this computer. Allow it only if you started this just now in a program that you trust.</p>'
    : '';
  const unknown = kind === 'settings' ? '' : ' Nobody here has checked who made it.';
  return `
<p><strong>${escapeHtml(clientName)}</strong>${from} wants to act for <strong>${escapeHtml(email)}</strong>.${unknown}</p>
<p class="soft">It is allowed:</p><ul>${items}</ul>
<p class="soft">The answer goes to <strong>${escapeHtml(new URL(redirectUri).host || redirectUri)}</strong>.</p>${warning}
<form id="consent" data-request="${escapeHtml(request)}"${goOn ? ' data-remembered' : ''}>
<p id="state" role="status"${goOn ? '' : ' hidden'}><span class="spinner"></span>Processing...</p>
<p id="error" class="error" role="alert" hidden></p>
<button value="approve">Allow</button> <button value="deny" class="plain">Refuse</button>
</form>
<p class="soft">You can take this back at any time in your <a href="/admin/profile">profile</a>.</p>`;
}
