import { isAdminScope, type Caller, type Principal } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { requireAccess, route, type Route } from '@millwright/http';
import * as contract from './consent.contract.js';
import { decide, grantableScopes, revokeConsent, type ConsentStore, type Decider } from './consent.store.js';

export function deciderOf(principal: Principal, caller: Caller): Decider {
  const { user, roles, project } = principal;
  return { userId: user.id, project, roles, actor: caller.actor };
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
      return commit(async (tx) => {
        const ticket = await decide(tx, decider, asked, scopes);
        if (ticket === undefined) throw new AppError('not_found');
        const back = new URLSearchParams({ request: body.request, ticket });
        return { body: { location: `${runtimeUrl}/oauth/authorize/return?${back.toString()}` } };
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
