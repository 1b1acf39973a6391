import { callerOf } from '@millwright/auth';
import { createIdTokenHintVerifier } from '@millwright/auth/id-tokens';
import { createKeyFinder } from '@millwright/auth/signing-keys';
import type { Database } from '@millwright/db';
import { requestOrigin } from '@millwright/http/protocol';
import type { NoticeData } from '@millwright/pages';
import type { RequestHandler } from 'express';
import type { SendPage } from '../pages/send-page.js';
import type { CookieWriter } from '../sessions/cookies.js';
import { revokeSession } from '../sessions/sessions.store.js';

export interface EndSessionOptions {
  db: Database;
  runtimeUrl: string;
  cookies: CookieWriter;
  sendPage: SendPage;
}

/**
 * `/admin/oauth/end-session`: the runtime API's end-session endpoint redirects here (OpenID Connect RP-Initiated Logout 1.0 §2). The page
 * ends the session only with an id token of the signed-in user. It redirects the browser only to a redirect URI of the client that the id
 * token names.
 */
export function endSessionPage({ db, runtimeUrl, cookies, sendPage }: EndSessionOptions): RequestHandler {
  const verifyHint = createIdTokenHintVerifier(runtimeUrl, createKeyFinder(db, 'runtime-api'));
  const isRedirectUri = async (clientId: string, uri: string) =>
    (await db.prisma.oAuthClient.count({
      where: { client_id: clientId, revoked_at: null, redirect_uris: { has: uri } },
    })) > 0;

  return async (request, response) => {
    response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    const { id_token_hint: token, client_id: named, post_logout_redirect_uri: uri, state } = request.query;
    const hint = typeof token === 'string' ? await verifyHint(token) : undefined;
    const isClients = hint !== undefined && (named === undefined || named === hint.clientId);
    const { signedIn } = response.locals;
    if (signedIn && !(isClients && hint.userId === signedIn.user.id)) {
      sendPage(response, 200, { name: 'notice', title: 'Sign out?', data: QUESTION }, NO_REFERRER);
      return;
    }
    if (signedIn) {
      const { actor } = callerOf(signedIn, requestOrigin(request));
      await db.transaction((tx) => revokeSession(tx, actor.userId, signedIn.session.id, actor, SIGNED_OUT));
      cookies.clearSession(response);
    }
    if (!isClients || typeof uri !== 'string' || !(await isRedirectUri(hint.clientId, uri))) {
      sendPage(response, 200, { name: 'notice', title: 'You are signed out', data: DONE }, NO_REFERRER);
      return;
    }
    const query = typeof state === 'string' ? new URLSearchParams({ state }).toString() : '';
    response.redirect(303, query === '' ? uri : `${uri}${uri.includes('?') ? '&' : '?'}${query}`);
  };
}

/** No referrer is sent, because the address contains the id token. */
const NO_REFERRER = { isReferrerSent: false };

const SIGNED_OUT = 'signed out by an application';

const QUESTION: NoticeData = {
  text: [
    'An application asks to sign you out of Millwright.',
    'You are still signed in. Sign out in the menu of your account.',
  ],
  links: [{ label: 'Go to profile', href: '/admin/profile' }],
};

const DONE: NoticeData = {
  text: ['You can close this page.'],
  links: [{ label: 'Sign in', href: '/admin/login' }],
};
