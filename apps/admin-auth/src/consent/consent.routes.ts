import type { Caller, Principal } from '@millwright/auth';
import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import * as contract from './consent.contract.js';
import { decide, grantableScopes, revokeConsent, type ConsentStore, type Decider } from './consent.store.js';

/** @throws AppError unauthorized */
export function deciderOf(principal: Principal | undefined, caller: Caller | undefined): Decider {
  if (!principal || !caller) throw new AppError('unauthorized');
  const { user, roles, project } = principal;
  return { userId: user.id, project, isAdmin: roles.includes('admin'), actor: caller.actor };
}

export function consentRoutes(consents: ConsentStore, runtimeUrl: string): Route[] {
  return [
    route(contract.decideConsent, async ({ principal, caller, body, commit }) => {
      const decider = deciderOf(principal, caller);
      const asked = await consents.findAsked(body.request);
      if (!asked) throw new AppError('not_found');
      return commit(async (tx) => {
        const scopes = body.decision === 'approve' ? grantableScopes(decider, asked) : [];
        const ticket = await decide(tx, decider, asked, scopes);
        if (ticket === undefined) throw new AppError('not_found');
        const back = new URLSearchParams({ request: body.request, ticket });
        return { body: { location: `${runtimeUrl}/oauth/authorize/return?${back.toString()}` } };
      });
    }),

    route(contract.listConsents, async ({ principal, caller }) => ({
      body: { items: await consents.list(deciderOf(principal, caller).userId) },
    })),

    route(contract.revokeConsent, ({ principal, caller, params, commit }) =>
      commit(async (tx) => {
        const { userId, actor } = deciderOf(principal, caller);
        if (!(await revokeConsent(tx, userId, params.consent_id, actor))) throw new AppError('not_found');
        return {};
      }),
    ),
  ];
}
