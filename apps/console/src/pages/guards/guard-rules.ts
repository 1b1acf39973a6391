import type { GuardPolicy } from '../../api/platform-records.js';

type Rules = GuardPolicy['rules'];
export type Guard = keyof Rules;
export type Point = keyof NonNullable<Rules[Guard]>;
export type Action = NonNullable<NonNullable<Rules[Guard]>[Point]>;

export const GUARDS: readonly { guard: Guard; label: string; text: string }[] = [
  { guard: 'secrets', label: 'Secrets', text: 'API keys, tokens, passwords, private keys' },
  { guard: 'email', label: 'E-mail addresses', text: 'For example ada@example.com' },
  { guard: 'phone', label: 'Telephone numbers', text: 'In international form (+ or 00)' },
  { guard: 'card', label: 'Card numbers', text: 'Payment cards with a valid check digit' },
  { guard: 'iban', label: 'Bank accounts', text: 'IBANs with valid check digits' },
];

export const POINTS: readonly { point: Point; label: string }[] = [
  { point: 'input', label: 'Input' },
  { point: 'output', label: 'Model output' },
  { point: 'tools', label: 'Answers of tools' },
];

const LABELS: Readonly<Record<Action, string>> = { off: 'Off', flag: 'Flag', redact: 'Redact', block: 'Block' };
export const ACTIONS = Object.entries(LABELS).map(([value, label]) => ({ value, label }));
export const isAction = (value: string): value is Action => Object.hasOwn(LABELS, value);

export const actionOf = (rules: Rules, guard: Guard, point: Point): Action => rules[guard]?.[point] ?? 'off';

/** Returns the rules with one changed action. Rules whose action is `off` are left out. */
export function withAction(rules: Rules, guard: Guard, point: Point, action: Action): Rules {
  const others = Object.entries(rules[guard] ?? {}).filter(([name]) => name !== point);
  return { ...rules, [guard]: { ...Object.fromEntries(others), ...(action !== 'off' && { [point]: action }) } };
}

const STRICTNESS = Object.keys(LABELS);
const isLooser = (action: string, bound: string) => STRICTNESS.indexOf(action) < STRICTNESS.indexOf(bound);

/** Lists the actions as options. Actions that are less strict than `bound`, the action of the project, are disabled. */
export const actionsFrom = (bound: Action) => ACTIONS.map((one) => ({ ...one, disabled: isLooser(one.value, bound) }));

/** Returns the action that applies to an agent: the stricter one of the agent's own rules and the project's rules. */
export function stricterAction(rules: Rules, bounds: Rules, guard: Guard, point: Point): Action {
  const [own, bound] = [actionOf(rules, guard, point), actionOf(bounds, guard, point)];
  return isLooser(own, bound) ? bound : own;
}
