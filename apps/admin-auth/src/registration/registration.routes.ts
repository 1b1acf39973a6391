import type { SetupToken } from '@millwright/accounts';
import { route, type Route } from '@millwright/http';
import type { Delivery } from '../magic-link/delivery.js';
import * as contract from './registration.contract.js';
import type { Register, RegistrationRules } from './registration.service.js';

export interface RegistrationRoutesOptions {
  register: Register;
  rules: Pick<RegistrationRules, 'sendsLink'>;
  delivery: Pick<Delivery, 'start'>;
  baseUrl: string;
}

export function registrationRoutes({ register, rules, delivery, baseUrl }: RegistrationRoutesOptions): Route[] {
  const urlOf = ({ token }: SetupToken) => `${baseUrl}/admin/add-passkey#token=${token}`;
  return [
    route(contract.register, async ({ body, from, commit }) => {
      let issued = null as SetupToken | null;
      const reply = await commit(async (tx) => {
        issued = await register(tx, body, from);
        // The same answer for every address: only who reads its mail gets the link.
        const shown = rules.sendsLink ? null : issued;
        const { email } = body;
        return { body: { email, setup_token: shown && shown.token, setup_url: shown && urlOf(shown) } };
      });
      if (rules.sendsLink) delivery.start(() => Promise.resolve(issued && linkOf(issued)), from.requestId);
      return reply;

      function linkOf(setup: SetupToken) {
        const { email, token, expires_at } = setup;
        const { requestId } = from;
        const expiresAt = new Date(expires_at);
        return { purpose: 'setup' as const, email, token, url: urlOf(setup), expiresAt, requestId };
      }
    }),
  ];
}
