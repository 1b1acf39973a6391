import type { Run, RunDetail } from '../../api/runtime-records.js';

export const STATES: Readonly<Record<Run['state'], { label: string; color: string }>> = {
  queued: { label: 'Queued', color: 'gray' },
  running: { label: 'Running', color: 'blue' },
  waiting: { label: 'Waiting', color: 'yellow' },
  completed: { label: 'Completed', color: 'mill' },
  failed: { label: 'Failed', color: 'red' },
  canceled: { label: 'Canceled', color: 'gray' },
};

/** The reason why a run waits, and what a person has to do. */
export const WAITS: Readonly<Record<NonNullable<Run['waiting_for']>, { title: string; text: string }>> = {
  approval: {
    title: 'Approval needed',
    text: 'Approve or refuse the tool calls below. The run goes on once all are decided.',
  },
  input: { title: 'Answer needed', text: 'The agent waits for an answer of the user.' },
  budget: { title: 'Budget used up', text: 'Raise the budget to let the run go on.' },
  outcome: {
    title: 'Unknown outcome',
    text: 'A process ended after it sent a tool call. Check whether the call had its effect, then decide.',
  },
  connection: {
    title: 'Account needed',
    text: 'A tool needs an account of the user. The run goes on once it is connected.',
  },
  child: { title: 'Another run waits', text: 'The run of an agent that this one called waits. Its step leads there.' },
};

export const CHANNELS: Readonly<Record<Run['channel'], string>> = {
  messages: 'API',
  a2a: 'A2A',
  mcp: 'MCP',
  console: 'Console',
  agent: 'Another agent',
  trigger: 'Trigger',
  prompt: 'Prompt API',
  responses: 'Responses API',
  chat: 'Chat completions',
  draft: 'Draft',
};

export const hasEnded = ({ state }: Pick<Run, 'state'>): boolean =>
  state === 'completed' || state === 'failed' || state === 'canceled';

/** Whether the user may start the run again. It must be a failed or canceled run of a saved agent, for this user, whose input is still stored. */
export const mayRetry = ({ is_own, state, subject, channel, input, context_id }: RunDetail): boolean =>
  is_own &&
  (state === 'failed' || state === 'canceled') &&
  subject.kind === 'agent' &&
  channel !== 'draft' &&
  (channel !== 'responses' || subject.version !== null) &&
  input !== null &&
  context_id !== null;

/** The greatest position in the queue that the API returns. Runs that are further back get the same position. */
const MOST_POSITIONS = 1_000;

/** The position of a queued run: "3 of the queued runs of the project". */
export const positionText = (position: number): string =>
  `${position.toLocaleString('en')}${position < MOST_POSITIONS ? '' : ' or later'} of the queued runs of the project`;

/** Names the actors of a run's credential, the nearest first: "ag_1 @ version 3 of https://agents.example, for app". */
export const actorsText = (actors: RunDetail['actors']): string =>
  actors
    .map(
      ({ issuer, sub, version }) =>
        `${sub}${version === null ? '' : ` @ version ${version}`}${issuer === null ? '' : ` of ${issuer}`}`,
    )
    .join(', for ');

/** A length of time: "812 ms", "3.2 s", "4 min 5 s", "2 h 3 min". */
export function durationText(milliseconds: number): string {
  const ms = Math.max(0, milliseconds);
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}

/** Duration of a run from the start of its execution to its end or `now`; undefined before the start. */
export function durationOf(run: Pick<Run, 'started_at' | 'ended_at'>, now: number): number | undefined {
  if (run.started_at === null) return undefined;
  return (run.ended_at === null ? now : Date.parse(run.ended_at)) - Date.parse(run.started_at);
}

/** Position and length of a bar in percent of the axis. */
export interface Bar {
  left: number;
  width: number;
}

interface Timed {
  started_at: string;
  ended_at: string | null;
}

/** Returns a bar for each step on one time axis, from the first start to the last end. The bar of an unfinished step ends at `now`. */
export function barsOf(steps: readonly Timed[], now: number): Bar[] {
  const times = steps.map(({ started_at, ended_at }) => {
    const start = Date.parse(started_at);
    return { start, end: Math.max(start, ended_at === null ? now : Date.parse(ended_at)) };
  });
  const first = Math.min(...times.map(({ start }) => start));
  const whole = Math.max(1, Math.max(...times.map(({ end }) => end)) - first);
  return times.map(({ start, end }) => ({
    left: ((start - first) / whole) * 100,
    width: ((end - start) / whole) * 100,
  }));
}
