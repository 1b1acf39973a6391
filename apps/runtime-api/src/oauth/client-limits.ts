import { hashSecret } from '@millwright/auth';
import { createAddressLimit, refusedBudget, requireAdmitted, type AddressLimit } from '@millwright/http';
import { limitHeaders, type Budget, type RateLimiter } from '@millwright/rate-limit';
import type { Request, Response } from 'express';
import type { Client } from './clients.store.js';

export interface ClientLimitOptions {
  limiter: RateLimiter;
  /** Limit per IP address for requests that do not prove the secret of a client from Settings. */
  limit: AddressLimit;
  /**
   * Budget of each authenticated client from Settings. These requests are not counted by IP address, because the servers of such a client
   * send the requests of all users from few addresses.
   */
  perClient: Budget;
}

/**
 * Counts a request against the budget of its client. When anybody can register the client, or the client has no secret, counts the request
 * against the budget of the IP address.
 */
export type CountClient = (client: Client, request: Request, response: Response) => Promise<void>;

export function createClientLimit({ limiter, limit, perClient }: ClientLimitOptions): CountClient {
  return async (client, request, response) => {
    if (client.kind !== 'settings' || client.auth_method === 'none') return limit(request, response);
    const decision = await limiter.consume(perClient, client.id);
    response.set(limitHeaders(decision));
    requireAdmitted(decision, response);
  };
}

/** Limit of one client's token requests per minute. It is equal to the limit of requests with one access token. */
const TOKENS = { name: 'oauth-token', limit: 1_000 } as const;

/**
 * Returns the functions that count requests to an endpoint of the limit class `client`. A request of a known client is counted by {@link
 * CountClient}. Every other request is counted against its IP address, like requests of unknown callers.
 */
export function createTokenLimits(limiter: RateLimiter, anonymous: Budget) {
  const counted = new WeakSet<Request>();
  const limit = createAddressLimit(limiter, anonymous);
  const limitRefused = createAddressLimit(limiter, refusedBudget(anonymous));
  const countClient = createClientLimit({ limiter, limit, perClient: TOKENS });
  return {
    countClient: async (client: Client, request: Request, response: Response): Promise<void> => {
      counted.add(request);
      await countClient(client, request, response);
    },
    countRefusal: async (request: Request, response: Response): Promise<void> => {
      if (counted.has(request)) return;
      await limitRefused(request, response);
      await limit(request, response);
    },
  };
}
/**
 * Limit of polls per minute for one device code. It allows one poll every five seconds, and one more poll for a device whose clock is fast.
 */
const POLLS = { name: 'oauth-device-polls', limit: 13 } as const;

/** Counts a request for a device code. `false` when the device polls too often (RFC 8628 §3.5). */
export type CountPolls = (deviceCode: string) => Promise<boolean>;

export const createPollCounter =
  (limiter: Pick<RateLimiter, 'consume'>): CountPolls =>
  async (deviceCode) =>
    (await limiter.consume(POLLS, hashSecret(deviceCode).toString('base64url'))).admitted;

export type TokenLimits = ReturnType<typeof createTokenLimits>;
