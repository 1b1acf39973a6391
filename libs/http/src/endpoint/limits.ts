import type { Principal } from '@millwright/auth';
import type { LimitClass } from '../contract/contract.js';
import type { Budget } from '@millwright/rate-limit';
import type { Budgets, Ceilings } from '../contract/gate.js';

/**
 * The numbers of requests that a service admits in a calendar minute, and phrases for them in the OpenAPI document of
 * the service.
 */
export interface Limits {
  budgets: Budgets;
  phrases: Partial<Record<LimitClass, string>>;
}

/** Requests a minute that every service admits per IP address. */
const PER_IP = 100;
/**
 * Requests a minute of sign-ins per IP address: enough for 120 people who sign in from one address with five requests
 * each. The sign-ins of one account have a separate limit.
 */
const SIGN_INS_PER_IP = 600;
/**
 * The limits per address, which are counted separately for each service: an address that exceeds the limit of one
 * service is still admitted by the other services.
 */
const perAddress = (name: string) => ({
  anonymous: { name: `${name}-ip`, limit: PER_IP },
  signIn: { name: `${name}-sign-in-ip`, limit: SIGN_INS_PER_IP },
});
const PUBLIC = `${PER_IP} a minute per IP address`;
const SIGN_IN = `${SIGN_INS_PER_IP} a minute per IP address`;

/** Requests a minute of an API key, by its plan. */
const PER_PLAN = { standard: 100, professional: 500 } as const;

/** The limits of an account and of a project, as multiples of the largest budget of one credential. */
const PER_ACCOUNT = 5;
const PER_PROJECT = 50;
const ceilingsOf = ({ name, limit }: Budget): Ceilings => ({
  account: { name: `${name}-account`, limit: limit * PER_ACCOUNT },
  project: { name: `${name}-project`, limit: limit * PER_PROJECT },
});

/** Limits of a service whose callers have API keys. The limit of each key follows from its plan. */
export const planLimits = (name: string): Limits => ({
  budgets: {
    ...perAddress(name),
    credential: ({ credential }: Principal) => ({ name, limit: PER_PLAN[credential.plan] }),
    ceilings: ceilingsOf({ name, limit: PER_PLAN.professional }),
  },
  phrases: {
    public: PUBLIC,
    credential: `${PER_PLAN.standard} a minute per key of the standard plan, ${PER_PLAN.professional} of the professional plan`,
  },
});

export interface CallerLimit {
  /** Name of the budgets of a caller, which distinguishes them from other budgets. */
  name: string;
  /** Number of requests that one caller may send in a minute. */
  limit: number;
  /** The unit that counts as one caller, as in "a minute per session". */
  per: string;
}

/** Limits of a service that admits the same number of requests to each of its callers. */
export const callerLimits = ({ name, limit, per }: CallerLimit): Limits => ({
  budgets: { ...perAddress(name), credential: () => ({ name, limit }), ceilings: ceilingsOf({ name, limit }) },
  phrases: { public: PUBLIC, 'sign-in': SIGN_IN, credential: `${limit} a minute per ${per}` },
});

/** Limits of a service with an additional, lower limit for messages to agents. A message counts against both limits. */
export function messageLimits(caller: CallerLimit, messages: number): Limits & { budgets: Required<Budgets> } {
  const { budgets, phrases } = callerLimits(caller);
  const { limit, per } = caller;
  const ceilings = {
    ...ceilingsOf({ name: caller.name, limit }),
    messages: { name: 'messages-account', limit: messages * PER_ACCOUNT },
  };
  return {
    budgets: { ...budgets, ...perAddress(caller.name), ceilings, messages: { name: 'messages', limit: messages } },
    phrases: { ...phrases, messages: `${messages} a minute per ${per}, within the ${limit} of all its calls` },
  };
}
