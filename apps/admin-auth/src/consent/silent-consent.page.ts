import { callerOf } from '@millwright/auth';
import type { Database } from '@millwright/db';
import type { SessionPrincipal } from '@millwright/http';
import { requestOrigin } from '@millwright/http/protocol';
import type { Request, RequestHandler } from 'express';
import type { SendPage } from '../pages/send-page.js';
import { OVER } from './consent.page.js';
import { deciderOf, returnAddress } from './consent.routes.js';
import {
  decide,
  grantableScopes,
  isRecent,
  type AskedConsent,
  type ConsentStore,
  type Decider,
  type Refusal,
} from './consent.store.js';

export interface SilentConsentOptions {
  db: Database;
  consents: ConsentStore;
  runtimeUrl: string;
  sendPage: SendPage;
}

/**
 * The page `/admin/consent/silent?request=`, for `prompt=none` (OpenID Connect Core 1.0 §3.1.2.1): the browser is redirected without a
 * page. The request then has the earlier consent, or the reason why there is none.
 */
export function silentConsentPage({ db, consents, runtimeUrl, sendPage }: SilentConsentOptions): RequestHandler {
  async function whyNot(
    decider: Decider,
    asked: AskedConsent,
    scopes: readonly string[],
  ): Promise<Refusal | undefined> {
    if (scopes.length === 0) return 'access_denied';
    if (!isRecent(asked, decider)) return 'login_required';
    return (await consents.isRemembered(decider, asked, scopes)) ? undefined : 'consent_required';
  }

  /** Decides the request. @returns its ticket; `undefined` when the request was already decided or has expired */
  async function answer(asked: AskedConsent, user: SessionPrincipal | undefined, request: Request) {
    if (!user) return consents.refuse(asked, 'login_required');
    const decider = deciderOf(user, callerOf(user, requestOrigin(request)));
    const scopes = grantableScopes(decider, asked);
    const refusal = await whyNot(decider, asked, scopes);
    return refusal ? consents.refuse(asked, refusal) : db.transaction((tx) => decide(tx, decider, asked, scopes));
  }

  return async (request, response) => {
    response.set('Cache-Control', 'no-store');
    const name = request.query['request'];
    const asked = typeof name === 'string' && name.length <= 200 ? await consents.findAsked(name) : undefined;
    const isSilent = asked?.prompt.includes('none') === true;
    const ticket = isSilent ? await answer(asked, response.locals.signedIn, request) : undefined;
    if (typeof name === 'string' && ticket !== undefined)
      response.redirect(303, returnAddress(runtimeUrl, name, ticket));
    else sendPage(response, 404, { name: 'notice', title: 'This request is over', data: OVER });
  };
}
