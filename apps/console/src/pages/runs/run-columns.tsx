import type { Run } from '../../api/runtime-records.js';
import type { Column } from '../../ui/data-table.js';
import { costText } from '../../ui/figures.js';
import { NamedCell } from '../../ui/named-cell.js';
import { Time } from '../../ui/time.js';
import { RunState } from './run-state.js';
import { CHANNELS, durationOf, durationText } from './run-text.js';

const tokensOf = ({ prompt_tokens, completion_tokens }: Run) => prompt_tokens + completion_tokens;

function durationCell(run: Run): string {
  const duration = durationOf(run, Date.now());
  return duration === undefined ? '—' : durationText(duration);
}

/** The columns of every list of runs. */
export const RUN_COLUMNS: readonly Column<Run>[] = [
  { title: 'Run', render: ({ subject, title }) => <NamedCell name={subject.name} text={title ?? ''} /> },
  { title: 'State', render: (run) => <RunState state={run.state} /> },
  { title: 'User', render: ({ user }) => <bdi>{user.name}</bdi> },
  { title: 'Channel', render: ({ channel }) => CHANNELS[channel] },
  { title: 'Started', render: ({ queued_at }) => <Time at={queued_at} /> },
  { title: 'Duration', render: durationCell, align: 'right' },
  { title: 'Tokens', render: (run) => tokensOf(run).toLocaleString('en'), align: 'right' },
  { title: 'Cost', render: (run) => costText(run.cost_usd, tokensOf(run)), align: 'right' },
];
