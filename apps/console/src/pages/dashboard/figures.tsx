import { Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Period, Usage } from '../../api/dashboard-records.js';
import { Failure } from '../../ui/failure.js';
import { costText } from '../../ui/figures.js';
import { FigureTile } from './figure-tile.js';
import classes from './figure-tile.module.css';
import { PERIODS } from './periods.js';

const count = (value: number | null) => (value === null ? 'unknown' : value.toLocaleString('en'));
const short = (value: number | null) =>
  value === null ? 'unknown' : value.toLocaleString('en', { notation: value >= 100_000 ? 'compact' : 'standard' });
const duration = (value: number | null) => {
  if (value === null) return '–';
  return value >= 1_000
    ? `${(value / 1_000).toLocaleString('en', { maximumFractionDigits: 1 })} s`
    : `${Math.round(value)} ms`;
};

/** An hour in the reader's zone, a day in UTC. */
function timeName(time: string, interval: Usage['interval'] | undefined): string {
  const at = new Date(time);
  if (interval === 'hour') return at.toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hour12: false });
  return at.toLocaleDateString('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
}

/** What the period used. */
export function Figures({ usage, period }: { usage: UseQueryResult<Usage>; period: Period }) {
  const { before } = PERIODS[period];
  const { figures, times = [], interval, unpriced_tokens = 0 } = usage.data ?? {};
  const names = times.map((time) => timeName(time, interval));
  if (usage.error && !usage.data) return <Failure error={usage.error} retry={() => void usage.refetch()} />;
  return (
    <section aria-label="Figures" aria-busy={usage.isPending || usage.isPlaceholderData} className={classes.grid}>
      <FigureTile label="Requests" figure={figures?.requests} names={names} text={count} before={before} />
      <FigureTile label="Errors" figure={figures?.errors} names={names} text={count} before={before} isBad />
      <FigureTile
        label="Latency p95"
        figure={figures?.latency_p95_ms}
        names={names}
        text={duration}
        before={before}
        isBad
      />
      <FigureTile label="Active users" figure={figures?.active_users} names={names} text={count} before={before} />
      <FigureTile label="Agent messages" figure={figures?.agent_messages} names={names} text={count} before={before} />
      <FigureTile label="Tokens" figure={figures?.tokens} names={names} text={short} before={before} />
      <FigureTile
        label="Cost"
        figure={figures?.cost_usd}
        names={names}
        text={(cost) => costText(cost, figures?.tokens.value ?? 0)}
        before={before}
        note={
          unpriced_tokens > 0 && (
            <Text span inherit display="block">
              {figures?.cost_usd.value === null
                ? 'No model has a price.'
                : `${short(unpriced_tokens)} tokens have no price.`}
            </Text>
          )
        }
      />
    </section>
  );
}
