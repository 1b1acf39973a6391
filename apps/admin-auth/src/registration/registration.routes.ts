import type { SetupToken } from '@millwright/accounts';
import type { Database } from '@millwright/db';
import { route, type Route } from '@millwright/http';
import { AppError } from '@millwright/errors';
import { ipKey, type RateLimiter } from '@millwright/rate-limit';
import type { Delivery, MagicLink } from '../magic-link/delivery.js';
import * as contract from './registration.contract.js';
import type { RegistrationRules, Registrations } from './registration.service.js';

export interface RegistrationRoutesOptions extends Registrations {
  db: Database;
  rules: Pick<RegistrationRules, 'sendsLink'>;
  delivery: Pick<Delivery, 'start'>;
  baseUrl: string;
  limiter: RateLimiter;
}

/** Limit of the registrations from one IP address, because each account is kept with its audit rows, even if nobody ever signs in to it. */
const REGISTRATIONS = { name: 'register', limit: 120, per: 'hour' } as const;

export function registrationRoutes(options: RegistrationRoutesOptions): Route[] {
  const { db, requireAllowed, register, rules, delivery, baseUrl, limiter } = options;
  const urlOf = ({ token }: SetupToken) => `${baseUrl}/admin/add-passkey#token=${token}`;

  function linkOf(setup: SetupToken, requestId: string): MagicLink {
    const { email, token, expires_at } = setup;
    return { purpose: 'setup', email, token, url: urlOf(setup), expiresAt: new Date(expires_at), requestId };
  }

  return [
    route(contract.register, async ({ body, from, commit }) => {
      const { admitted, resetAt } = await limiter.consume(REGISTRATIONS, ipKey(from.ip));
      if (!admitted)
        throw new AppError('rate_limited', { retryAfter: Math.max(1, resetAt - Math.floor(Date.now() / 1_000)) });
      if (rules.sendsLink) {
        requireAllowed(body);
        // Runs after the response, which is the same for every address, so that neither the response nor its duration shows who has an
        // account.
        delivery.start(async () => {
          const issued = await db.transaction((tx) => register(tx, body, from));
          return issued && linkOf(issued, from.requestId);
        }, from.requestId);
        return { body: { email: body.email, setup_token: null, setup_url: null } };
      }
      return commit(async (tx) => {
        const issued = await register(tx, body, from);
        return { body: { email: body.email, setup_token: issued && issued.token, setup_url: issued && urlOf(issued) } };
      });
    }),
  ];
}
