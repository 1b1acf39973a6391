import { callerOf, describeScopes, isAdminScope } from '@millwright/auth';
import { describeIdentityScopes } from '@millwright/auth/identity-scopes';
import { requestOrigin } from '@millwright/http/protocol';
import type { ConsentData, NoticeData, ScopeInWords } from '@millwright/pages';
import type { RequestHandler } from 'express';
import { signedIn } from '../pages/navigation.js';
import type { SendPage } from '../pages/send-page.js';
import { deciderOf } from './consent.routes.js';
import { grantableScopes, isVerified, type AskedConsent, type ConsentStore } from './consent.store.js';

/**
 * `/admin/consent?request=`: shows the application and the requested scopes. When the user has consented to these scopes earlier, the
 * browser is redirected at once.
 */
export function consentPage(consents: ConsentStore, sendPage: SendPage): RequestHandler {
  return signedIn(async (principal, request, response) => {
    const name = request.query['request'];
    const asked = typeof name === 'string' && name.length <= 200 ? await consents.findAsked(name) : undefined;
    if (!asked || typeof name !== 'string') {
      sendPage(response, 404, { name: 'notice', title: 'This request is over', data: OVER });
      return;
    }
    const { email } = principal.user;
    const decider = deciderOf(principal, callerOf(principal, requestOrigin(request)));
    const scopes = grantableScopes(decider, asked);
    if (scopes.length === 0) {
      sendPage(response, 403, { name: 'notice', title: 'Not available for this account', data: refusal(asked, email) });
      return;
    }
    const isRemembered = await consents.isRemembered(decider, asked, scopes);
    sendPage(response, 200, {
      name: 'consent',
      title: isRemembered ? 'Signing you in' : 'Allow access?',
      data: {
        request: name,
        ...shown(asked, decider.userId),
        email,
        scopes: inWords(scopes.filter((scope) => !isAdminScope(scope))),
        adminScopes: inWords(scopes.filter(isAdminScope)),
        isRemembered,
      },
    });
  });
}

export const OVER: NoticeData = {
  text: [
    'It has been answered already, or it took more than ten minutes.',
    'Go back to the application and begin again there.',
  ],
  isError: true,
};

const refusal = ({ clientName }: AskedConsent, email: string): NoticeData => ({
  text: [
    // Isolates the name, whose letters could change the direction of the text around it.
    `\u2068${clientName}\u2069 asks for more than the account ${email} may do. Nothing was shared.`,
    'Sign in with another account and begin again in the application, or ask an administrator.',
  ],
  links: [{ label: 'Go to profile', href: '/admin/profile' }],
  isError: true,
});

/** Describes the application and the target of the answer for the page. */
function shown(asked: AskedConsent, userId: string) {
  const { clientName, clientId, kind, redirectUri, isLocal, isDevice, maker, isApproved } = asked;
  return {
    clientName,
    clientHost: kind === 'document' ? new URL(clientId).host : null,
    madeBy: maker && { name: maker.name, email: maker.email, isYou: maker.id === userId },
    isApproved,
    isUnverified: !isVerified(asked, userId),
    // The host in a URI with a private-use scheme may be any text, so the whole URI is shown.
    leadsTo: /^https?:/.test(redirectUri) ? new URL(redirectUri).host : redirectUri,
    isLocal,
    isDevice,
  } satisfies Partial<ConsentData>;
}

const WORDS = new Map(
  [...describeIdentityScopes(), ...describeScopes(['admin'])].map(({ scope, description }) => [scope, description]),
);
const inWords = (scopes: readonly string[]): ScopeInWords[] =>
  scopes.map((scope) => ({ scope, description: WORDS.get(scope) ?? scope }));
