import { recordSampledDenial } from '@millwright/audit';
import { isAdminScope, type Caller } from '@millwright/auth';
import { encodeId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { requireAccess, route, type Route, type SessionPrincipal } from '@millwright/http';
import * as contract from './consent.contract.js';
import { decide, grantableScopes, isRecent, revokeConsent, type ConsentStore, type Decider } from './consent.store.js';

export function deciderOf({ user, roles, project, session }: SessionPrincipal, caller: Caller): Decider {
  return { userId: user.id, project, roles, actor: caller.actor, provenAt: session.provenAt };
}

/**
 * Returns the address of the runtime API to which the browser is redirected after a decision. The runtime API then redirects it to the
 * client.
 */
export function returnAddress(runtimeUrl: string, request: string, ticket: string): string {
  return `${runtimeUrl}/oauth/authorize/return?${new URLSearchParams({ request, ticket }).toString()}`;
}

export function consentRoutes(db: Database, consents: ConsentStore, runtimeUrl: string): Route[] {
  return [
    route(contract.decideConsent, async ({ principal, caller, from, body, commit }) => {
      const decider = deciderOf(principal, caller);
      const asked = await consents.findAsked(body.request);
      if (!asked) throw new AppError('not_found');
      const grantable = body.decision === 'approve' ? grantableScopes(decider, asked) : [];
      const chosen: readonly string[] = body.admin_scopes;
      const scopes = grantable.filter((scope) => !isAdminScope(scope) || chosen.includes(scope));
      if (scopes.some(isAdminScope)) {
        const { path } = contract.decideConsent;
        await requireAccess(db, 'fresh', principal, { ...from, path, action: 'oauth_consent.approve' });
      }
      if (scopes.length > 0 && !isRecent(asked, decider)) {
        const resource = encodeId('cli', asked.clientUuid);
        const entry = { actor: decider.actor, project: decider.project, action: 'oauth_consent.approve', resource };
        await recordSampledDenial(db, entry, 'no proof as recent as the client asks');
        throw new AppError('step_up_required');
      }
      return commit(async (tx) => {
        const ticket = await decide(tx, decider, asked, scopes);
        if (ticket === undefined) throw new AppError('not_found');
        const location = asked.isDevice ? '/admin/device/done' : returnAddress(runtimeUrl, body.request, ticket);
        return { body: { location } };
      });
    }),

    route(contract.listConsents, async ({ principal }) => ({
      body: { items: await consents.list(principal.user.id) },
    })),

    route(contract.revokeConsent, ({ principal, caller, params, commit }) =>
      commit(async (tx) => {
        if (!(await revokeConsent(tx, principal.user.id, params.consent_id, caller.actor)))
          throw new AppError('not_found');
        return {};
      }),
    ),
  ];
}
