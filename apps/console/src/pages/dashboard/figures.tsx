import { Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Period, Usage } from '../../api/admin-records.js';
import { Failure } from '../../ui/failure.js';
import { costText } from '../../ui/figures.js';
import { FigureTile } from './figure-tile.js';
import classes from './figure-tile.module.css';
import { PERIODS } from './periods.js';

const NO_DATA = 'No data';
const count = (value: number | null) => (value === null ? NO_DATA : value.toLocaleString('en'));
const short = (value: number | null) =>
  value === null ? NO_DATA : value.toLocaleString('en', { notation: value >= 100_000 ? 'compact' : 'standard' });
const duration = (value: number | null) => {
  if (value === null) return NO_DATA;
  return value >= 1_000
    ? `${(value / 1_000).toLocaleString('en', { maximumFractionDigits: 1 })} s`
    : `${Math.round(value)} ms`;
};

/** A point's label: an hour in the reader's time zone, or a day in UTC. */
function timeName(time: string, interval: Usage['interval'] | undefined): string {
  const at = new Date(time);
  if (interval === 'hour') return at.toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hour12: false });
  return at.toLocaleDateString('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
}

export interface FiguresProps {
  usage: UseQueryResult<Usage>;
  period: Period;
}

export function Figures({ usage, period }: FiguresProps) {
  const { before } = PERIODS[period];
  const { figures, times = [], interval, unpriced_tokens = 0 } = usage.data ?? {};
  const common = { names: times.map((time) => timeName(time, interval)), before };
  const report = `/usage${period === '24h' || period === '30d' ? '' : `?period=${period}`}`;
  const tokens = figures?.tokens.value ?? 0;
  if (usage.error && !usage.data) return <Failure error={usage.error} retry={() => void usage.refetch()} />;
  return (
    <section aria-label="Figures" aria-busy={usage.isPending || usage.isPlaceholderData} className={classes.grid}>
      <FigureTile {...common} label="Requests" figure={figures?.requests} text={count} />
      <FigureTile {...common} label="Errors" figure={figures?.errors} text={count} isBad to={failedRuns(period)} />
      <FigureTile {...common} label="Latency p95" figure={figures?.latency_p95_ms} text={duration} isBad />
      <FigureTile {...common} label="Active users" figure={figures?.active_users} text={count} to="/access/users" />
      <FigureTile
        {...common}
        label="Agent messages"
        figure={figures?.agent_messages}
        text={count}
        to="/audit?action=agent.message"
      />
      <FigureTile {...common} label="Tokens" figure={figures?.tokens} text={short} to={report} />
      <FigureTile
        {...common}
        label="Cost"
        figure={figures?.cost_usd}
        text={(cost) => costText(cost, tokens)}
        // When no model has a price, the figure links to the page on which prices are set.
        to={unpriced_tokens > 0 && figures?.cost_usd.value === null ? '/budgets/prices' : report}
        note={unpriced_tokens > 0 && <Unpriced all={figures?.cost_usd.value === null} tokens={unpriced_tokens} />}
      />
    </section>
  );
}

const RUN_PERIODS: Readonly<Partial<Record<Period, string>>> = { '24h': 'day', '7d': 'week', '30d': 'month' };

/** Returns the address of the period's failed runs. */
const failedRuns = (period: Period) => {
  const wanted = RUN_PERIODS[period];
  return `/runs?has_error=true${wanted === undefined ? '' : `&period=${wanted}`}`;
};

function Unpriced({ all, tokens }: { all: boolean; tokens: number }) {
  return (
    <Text span inherit display="block">
      {all ? 'Cost unavailable: add prices' : `Cost incomplete: ${short(tokens)} tokens have no price.`}
    </Text>
  );
}
