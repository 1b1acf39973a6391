import type { Budget } from '../../api/platform-records.js';

export const LEVELS = {
  project: 'Whole project',
  api_key: 'API key',
  client: 'OAuth client',
  user: 'User',
  agent: 'Agent',
  trigger: 'Trigger',
  run: 'Run',
} as const satisfies Record<Budget['level'], string>;

export const PERIODS = { day: 'a day', month: 'a month', total: 'in total' } as const satisfies Record<
  Budget['period'],
  string
>;

export const UNITS = { usd: 'US dollars', tokens: 'Tokens' } as const satisfies Record<Budget['unit'], string>;

/** An amount in its unit: "$12.50", "1,000 tokens". */
export function amountText(unit: Budget['unit'], amount: number): string {
  if (unit === 'tokens') return `${amount.toLocaleString('en')} ${amount === 1 ? 'token' : 'tokens'}`;
  return amount.toLocaleString('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 6 });
}

/** Names the subject of a budget: "User Ann". */
export const subjectText = ({ level, subject }: Pick<Budget, 'level' | 'subject'>): string =>
  subject ? `${LEVELS[level]} ${subject.name}` : LEVELS[level];

/** The limit with its period: "$12.50 a month". */
export const limitText = ({ unit, amount, period }: Pick<Budget, 'unit' | 'amount' | 'period'>): string =>
  `${amountText(unit, amount)} ${PERIODS[period]}`;

/** The spent share of a budget, from 0 to 1; a budget of 0 is always used up. */
export const spentShare = ({ amount, window }: Pick<Budget, 'amount' | 'window'>): number =>
  amount === 0 ? 1 : Math.min(1, window.spent / amount);
