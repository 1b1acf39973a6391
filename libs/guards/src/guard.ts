import { z } from 'zod';
import type { Filter } from './filter.js';
import { GUARD_POINTS, type GuardPoint } from './guard-points.js';

/** The built-in guards, by the kind of data that they find. */
export const GUARDS = ['secrets', 'email', 'phone', 'card', 'iban'] as const;
export type BuiltInGuard = (typeof GUARDS)[number];

/** The actions on a find, from the least strict to the strictest. */
export const GUARD_ACTIONS = ['off', 'flag', 'redact', 'block'] as const;
export type GuardAction = (typeof GUARD_ACTIONS)[number];

const Action = z.enum(GUARD_ACTIONS);
const Points = z.strictObject({
  input: Action.optional().meta({
    description: 'For everything that a run receives, except the instructions that agents, skills and prompts have',
  }),
  output: Action.optional().meta({ description: 'For what the model writes: answers, and arguments of calls' }),
  tools: Action.optional().meta({ description: 'For what tools, servers and other agents answer' }),
});

/** Action by guard and point. Default: `off`; for an agent, the rule of its project applies. */
export const GuardRules = z.strictObject({
  secrets: Points.optional().meta({ description: 'API keys, tokens, passwords, private keys, connection strings' }),
  email: Points.optional(),
  phone: Points.optional().meta({
    description: 'Numbers with + or 00, and the national ones of `phone_countries`',
  }),
  card: Points.optional().meta({ description: 'Numbers of payment cards, by their check digit' }),
  iban: Points.optional().meta({ description: 'Numbers of bank accounts, by their check digits' }),
});
export type GuardRules = z.output<typeof GuardRules>;

/** The rules of a project or an agent, as they are stored. */
export interface GuardPolicy {
  rules: GuardRules;
  /** Countries (ISO 3166-1 alpha-2) whose national telephone numbers are found. */
  phone_countries: readonly string[];
  /** External guards. */
  filters?: readonly Filter[];
}

export const isStricter = (one: GuardAction, other: GuardAction): boolean =>
  GUARD_ACTIONS.indexOf(one) > GUARD_ACTIONS.indexOf(other);

export const strictest = (actions: readonly GuardAction[]): GuardAction =>
  actions.reduce((one, other) => (isStricter(other, one) ? other : one), 'off');

/** Combines several policies: the strictest action for each guard and point, and the countries of all policies. */
export function effectivePolicy(policies: readonly GuardPolicy[]): GuardPolicy {
  const actionOf = (guard: BuiltInGuard, point: GuardPoint) =>
    strictest(policies.map(({ rules }) => rules[guard]?.[point] ?? 'off'));
  const rules = Object.fromEntries(
    GUARDS.map((guard) => [guard, Object.fromEntries(GUARD_POINTS.map((point) => [point, actionOf(guard, point)]))]),
  ) as GuardRules;
  return { rules, phone_countries: [...new Set(policies.flatMap(({ phone_countries }) => phone_countries))] };
}

/**
 * Returns the first guard and point at which the first rules are less strict than the second rules, and the action that
 * the second rules have there.
 */
export function looserThan(
  rules: GuardRules,
  bounds: GuardRules,
): { guard: BuiltInGuard; point: GuardPoint; bound: GuardAction } | undefined {
  for (const guard of GUARDS)
    for (const point of GUARD_POINTS) {
      const [action, bound] = [rules[guard]?.[point], bounds[guard]?.[point] ?? 'off'];
      if (action !== undefined && isStricter(bound, action)) return { guard, point, bound };
    }
  return undefined;
}
