import { callerOf, describeScopes } from '@millwright/auth';
import { requestIdOf } from '@millwright/http';
import type { ConsentData, NoticeData, ScopeInWords } from '@millwright/pages';
import type { RequestHandler } from 'express';
import { signedIn } from '../pages/navigation.js';
import type { SendPage } from '../pages/send-page.js';
import { deciderOf } from './consent.routes.js';
import { grantableScopes, type AskedConsent, type ConsentStore } from './consent.store.js';

/** `/admin/consent?request=`: what an application asks for, and from where. One that was let in before goes on by itself. */
export function consentPage(consents: ConsentStore, sendPage: SendPage): RequestHandler {
  return signedIn(async ({ principal }, request, response) => {
    const name = request.query['request'];
    const asked = typeof name === 'string' && name.length <= 200 ? await consents.findAsked(name) : undefined;
    if (!asked || typeof name !== 'string') {
      sendPage(response, 404, { name: 'notice', title: 'This request is over', data: OVER });
      return;
    }
    const { email } = principal.user;
    const decider = deciderOf(
      principal,
      callerOf(principal, { requestId: requestIdOf(request), ip: request.ip ?? '' }),
    );
    const scopes = grantableScopes(decider, asked);
    if (scopes.length === 0) {
      sendPage(response, 403, { name: 'notice', title: 'Not available for this account', data: refusal(asked, email) });
      return;
    }
    const isRemembered = await consents.isRemembered(decider, asked, scopes);
    sendPage(response, 200, {
      name: 'consent',
      title: isRemembered ? 'Signing you in' : 'Allow access?',
      data: { request: name, ...shown(asked), email, scopes: inWords(scopes), isRemembered },
    });
  });
}

const OVER: NoticeData = {
  text: [
    'It has been answered already, or it took more than ten minutes.',
    'Go back to the application and begin again there.',
  ],
  isError: true,
};

const refusal = ({ clientName }: AskedConsent, email: string): NoticeData => ({
  text: [
    // Isolated: its letters must not turn the others around.
    `\u2068${clientName}\u2069 asks for more than the account ${email} may do. Nothing was shared.`,
    'Sign in with another account and begin again in the application, or ask an administrator.',
  ],
  links: [{ label: 'Go to profile', href: '/admin/profile' }],
  isError: true,
});

/** Who asks, and where the answer goes. */
function shown({ clientName, clientId, kind, redirectUri, isLocal }: AskedConsent) {
  return {
    clientName,
    clientHost: kind === 'document' ? new URL(clientId).host : null,
    isUnverified: kind !== 'settings',
    // A URI of a program's own scheme names no host.
    leadsTo: new URL(redirectUri).host || redirectUri,
    isLocal,
  } satisfies Partial<ConsentData>;
}

const WORDS = new Map(describeScopes(true).map(({ scope, description }) => [scope, description]));
const inWords = (scopes: readonly string[]): ScopeInWords[] =>
  scopes.map((scope) => ({ scope, description: WORDS.get(scope) ?? scope }));
