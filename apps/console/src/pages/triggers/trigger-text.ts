import type { Firing, Trigger } from '../../api/platform-records.js';

export const FIRING_STATES: Readonly<Record<Firing['state'], { label: string; color: string }>> = {
  pending: { label: 'Waiting', color: 'yellow' },
  started: { label: 'Running', color: 'blue' },
  completed: { label: 'Completed', color: 'mill' },
  failed: { label: 'Failed', color: 'red' },
  canceled: { label: 'Canceled', color: 'gray' },
  skipped: { label: 'Left out', color: 'gray' },
};

/** The budget of each run, as the API expects it. */
export const budgetOf = ({
  budget_unit: unit,
  budget_amount: amount,
}: {
  budget_unit: 'usd' | 'tokens';
  budget_amount: number | string;
}) => (amount === '' ? null : { unit, amount: Number(amount) });

/** Reasons for which a firing was left out or failed. */
export const REASONS: Readonly<Record<NonNullable<Firing['reason']>, string>> = {
  missed: 'No process ran at its time',
  overlap: 'An earlier firing had not ended',
  full: '100 firings had not ended',
  inactive: 'The trigger was inactive',
  stopped: 'The agent is stopped',
  owner: 'The owner may not run it any more',
  agent: 'The agent is gone or inactive',
  message: 'The template made no message that the agent takes',
  quota: 'A quota of the project is used up',
  conflict: 'The conversation waits for a person',
  unavailable: 'The run could not be started',
  run: 'The run failed',
};

export const SOURCES: Readonly<Record<Firing['source'], string>> = {
  schedule: 'Schedule',
  webhook: 'Post',
  test: 'Test',
};

export const KINDS: Readonly<Record<Trigger['kind'], string>> = {
  cron: 'Schedule',
  webhook: 'Incoming post',
};

export const OVERLAPS: Readonly<Record<Trigger['overlap'], string>> = {
  skip: 'Leave out the new one',
  queue: 'Wait for its turn',
  allow: 'Start at once',
};

export const MISSED: Readonly<Record<Trigger['missed'], string>> = {
  skip: 'Leave them out',
  once: 'Make up for them once',
};

export const CONTEXTS: Readonly<Record<Trigger['context'], string>> = {
  new: 'A new one for each run',
  same: 'The same one for all runs',
};

export const SIGNATURES: Readonly<Record<NonNullable<Trigger['signature']>, string>> = {
  standard: 'Standard Webhooks',
  github: 'GitHub',
  stripe: 'Stripe',
};

/** Describes in one line what starts the trigger's runs: "0 9 * * * · Europe/Berlin", "Posts signed as GitHub". */
export const whenText = ({ kind, schedule, timezone, signature }: Trigger): string =>
  kind === 'cron' ? `${schedule ?? ''} · ${timezone ?? ''}` : `Posts signed as ${SIGNATURES[signature ?? 'standard']}`;

/** Converts an ISO time to the value of a `datetime-local` input, in the reader's time zone. The value is empty without a time. */
export function toLocalInput(at: string | null): string {
  if (at === null) return '';
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Converts the value of a `datetime-local` input to an ISO time. Null when it is empty. */
export const fromLocalInput = (text: string): string | null => (text === '' ? null : new Date(text).toISOString());

const DAY_AND_TIME = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;

/** Formats a time in a time zone: "Mon 23 Nov, 09:00". */
export const zonedText = (at: string, timeZone: string): string =>
  new Date(at).toLocaleString('en-GB', { ...DAY_AND_TIME, timeZone });

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
