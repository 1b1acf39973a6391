import { isDeepStrictEqual } from 'node:util';
import { decisionAbout } from './approver.js';
import type { SentRun } from './clients.js';
import type { Decision } from './decider.js';
import type { FollowedRun } from './followers.js';
import { answerOf, messagesOf, readMessage, TOOLS, type CallArguments } from './run-script.js';
import type { ApprovalRow, Change, MessageRow, RunRecords, StepRow } from './run-records.js';
import type { ReceivedCall } from './tool-servers.js';

const LEASE_MS = 10_000;

/** Violations of the installation's guarantees; each line names its run. */
export type Violations = string[];

function groupBy<Item>(items: readonly Item[], key: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

/**
 * Checks that each received call has a step, that a call of a non-repeatable tool arrived at most once, and that repeated calls of a repeatable
 * tool had the same idempotency key.
 */
export function checkCalls(calls: readonly ReceivedCall[], steps: readonly StepRow[]): Violations {
  const keys = new Set(steps.map(({ idempotency_key: key }) => key));
  const rowless = calls.filter(({ key }) => !keys.has(key)).map(({ tool, key }) => `${key}: ${tool} without a step`);
  const repeats = [...groupBy(calls, ({ run, place }) => `${run}/${place}`)].flatMap(([place, made]) => {
    const [first] = made;
    const keysOfPlace = new Set(made.map(({ key }) => key));
    if (first && !TOOLS[first.tool] && made.length > 1) return [`${place}: ${made.length} calls of ${first.tool}`];
    return keysOfPlace.size > 1 ? [`${place}: ${keysOfPlace.size} keys of one call`] : [];
  });
  return [...rowless, ...repeats];
}

/**
 * Checks that each conversation has the user's message, the tool calls of each round with their results, and the final answer: each once, in order.
 */
export function checkConversations(messages: readonly MessageRow[]): Violations {
  return [...groupBy(messages, ({ context_id: id }) => id).values()].flatMap((turns) => {
    const { run, at, script } = readMessage(turns[0]?.content ?? '');
    const expected = [
      'user',
      ...script.flatMap((round) => [`assistant ${round.length}`, ...round.map(() => 'tool')]),
      'assistant 0',
    ];
    const found = turns.map(({ role, calls }) => (role === 'assistant' ? `assistant ${calls}` : role));
    const isWhole = found.join() === expected.join() && turns.at(-1)?.content === answerOf({ run, at });
    return isWhole ? [] : [`run ${run}: ${found.join()} instead of ${expected.join()}`];
  });
}

/** Checks that every step has ended, that attempts never decrease from step to step, and that each person's decision is stored. */
export function checkSteps(steps: readonly StepRow[], decisions: readonly Decision[]): Violations {
  const open = steps.filter(({ outcome, result }) => outcome === 'started' || (outcome === 'unknown' && !result));
  const byPlace = new Map(steps.map((step) => [`${step.run}:${step.seq}`, step]));
  const overwritten = decisions.filter(
    ({ run, seq }) => !byPlace.get(`${run}:${seq}`)?.result?.startsWith('A person confirmed'),
  );
  const gaps = [...groupBy(steps, ({ run }) => run).values()].filter((own) =>
    own.some(({ seq }, index) => seq !== index + 1),
  );
  return [
    ...open.map(({ run, seq }) => `${run}: step ${seq} is open`),
    ...overwritten.map(({ run, seq }) => `${run}: the decision about step ${seq} was overwritten`),
    ...gaps.map(([first]) => `${String(first?.run)}: its steps have gaps`),
  ];
}

/**
 * Checks that clients that repeat their request received an answer, and that each accepted message has exactly one run, which completed.
 */
export async function checkRuns(records: RunRecords, sent: readonly SentRun[]): Promise<Violations> {
  const rows = await records.read<{ content: string; states: string[] }>(
    `SELECT m.content, array_agg(concat_ws(' ', r.state, r.error_code, r.error_text,
              CASE WHEN r.state <> 'completed' AND s.seq IS NOT NULL
                   THEN format('; attempt %s; its call by run %s, attempt %s of %s: %s %s %s', r.attempt, r.parent_id, s.attempt, p.attempt, s.outcome, s.error_code, s.result) END)) AS states
       FROM runs r JOIN context_messages m ON m.id = r.message_id
       LEFT JOIN runs p ON p.id = r.parent_id LEFT JOIN run_steps s ON s.run_id = r.parent_id AND s.seq = r.parent_step
      GROUP BY m.content`,
  );
  const unanswered = sent.filter(({ persistent, answered, wrong }) => (persistent && !answered) || wrong.length > 0);
  const known = new Set(sent.flatMap(({ run, script }) => messagesOf(run, script)));
  return [
    ...unanswered.map(({ run, wrong }) => `run ${run}: not answered, or wrongly: ${wrong.join()}`),
    ...rows
      .filter(({ states }) => states.join() !== 'completed')
      .map(({ content, states }) => `${content}: ${states.join()}`),
    ...rows.filter(({ content }) => !known.has(content)).map(({ content }) => `${content}: was not sent`),
  ];
}

/** Checks that events are numbered without gaps, and that only the last event ends the run. */
export async function checkEvents(records: RunRecords): Promise<Violations> {
  const rows = await records.read<{ run_id: string; types: string; last: string }>(
    `SELECT run_id, last FROM (
       SELECT e.run_id, count(*) AS n, max(e.seq) AS greatest, r.event_count,
              count(*) FILTER (WHERE e.type IN ('run.completed', 'run.failed', 'run.canceled')) AS ends,
              (array_agg(e.type ORDER BY e.seq DESC))[1] AS last
         FROM run_events e JOIN runs r ON r.id = e.run_id GROUP BY e.run_id, r.event_count) x
      WHERE n <> greatest OR greatest <> event_count OR ends <> 1 OR last <> 'run.completed'`,
  );
  return rows.map(({ run_id, last }) => `${run_id}: events with gaps, or after its end (${last})`);
}

/** Checks that each follower has received every event of its run, once and in order. */
export async function checkFollowers(records: RunRecords, followed: readonly FollowedRun[]): Promise<Violations> {
  const faults: string[] = [];
  for (const { run, received } of followed) {
    const stored = (await records.events(run)).map(({ seq, type, data }) => [seq, type, data]);
    const seen = received.map(({ seq, type, data }) => [seq, type, JSON.parse(data) as unknown]);
    if (!isDeepStrictEqual(seen, stored)) {
      const at = stored.findIndex((event, index) => !isDeepStrictEqual(event, seen[index]));
      const [has, wants] = [seen.at(at), stored.at(at)].map((event) => JSON.stringify(event ?? null).slice(0, 200));
      faults.push(`${run}: ${seen.length} events instead of ${stored.length}; ${has} instead of ${wants}`);
    }
  }
  return faults;
}

/**
 * Checks that decisions about approvals hold: an approved call was sent once, with the changed arguments if a person changed them, and a
 * refused call was not sent.
 */
export function checkApprovals(approvals: readonly ApprovalRow[], calls: readonly ReceivedCall[]): Violations {
  const received = groupBy(calls, ({ run, place }) => `${run}/${place}`);
  return approvals.flatMap(({ run, state, arguments: asked, edited, sent, key }) => {
    const args = JSON.parse(asked) as CallArguments;
    const kind = decisionAbout(args);
    const made = received.get(`${args.run}/${args.place}`) ?? [];
    const isChanged = kind === 'change';
    const isRight =
      kind === 'refuse'
        ? state === 'refused' && key === null && made.length === 0
        : state === 'used' &&
          key !== null &&
          made.every((call) => call.key === key && call.changed === isChanged) &&
          (edited !== null) === isChanged &&
          isDeepStrictEqual(JSON.parse(sent ?? '{}'), JSON.parse(edited ?? asked));
    return isRight ? [] : [`${run}: ${kind} of ${asked} is ${state}, with ${made.length} calls`];
  });
}

/**
 * Checks that each stored answer of a model has its usage, and that no answer is charged twice. Checks that the budget has spent exactly
 * the recorded usage, and that nothing is left reserved. `answers` is the number of answers that the model gave.
 */
export async function checkUsage(records: RunRecords, answers: number): Promise<Violations> {
  const [row] = await records.read<Record<'steps' | 'used' | 'run_tokens' | 'step_tokens' | 'used_tokens', string>>(
    `SELECT (SELECT count(*) FROM run_steps WHERE kind = 'model' AND outcome = 'succeeded') AS steps,
            (SELECT count(*) FROM usage_events) AS used,
            (SELECT sum(prompt_tokens + completion_tokens) FROM usage_events) AS used_tokens,
            (SELECT sum(prompt_tokens + completion_tokens) FROM runs) AS run_tokens,
            (SELECT sum(prompt_tokens + completion_tokens) FROM run_steps) AS step_tokens`,
  );
  const budgets = await records.read<{ spent: string; reserved: string; reservations: string; waits: string }>(
    `SELECT spent, reserved, (SELECT count(*) FROM budget_reservations) AS reservations, (SELECT count(*) FROM budget_waits) AS waits
       FROM budget_windows`,
  );
  if (!row) return ['no usage'];
  const { steps, used, run_tokens, step_tokens, used_tokens } = row;
  const isEmpty = ({ reserved, reservations, waits }: (typeof budgets)[number]) =>
    [reserved, reservations, waits].every((n) => Number(n) === 0);
  return [
    ...(Number(used) < Number(steps) ? [`${used} usage rows for ${steps} answers`] : []),
    ...(Number(used) > answers ? [`${used} usage rows, but the model gave ${answers} answers`] : []),
    ...(run_tokens !== step_tokens ? [`${run_tokens} tokens of runs, ${step_tokens} of their steps`] : []),
    ...(budgets.length === 1 ? [] : [`${budgets.length} periods of one budget`]),
    ...budgets.filter((budget) => !isEmpty(budget)).map((budget) => `the budget holds ${JSON.stringify(budget)}`),
    ...budgets
      .filter(({ spent }) => spent !== used_tokens)
      .map(({ spent }) => `the budget has spent ${spent}, ${used_tokens} are recorded as used`),
  ];
}

/**
 * Returns the milliseconds from the last renewal of a lapsed lease to a change of its run. The worker died after that renewal, so its death was at
 * most this long ago.
 */
const sinceRenewal = (lease: Date, { at }: Change): number => at.getTime() - lease.getTime() + LEASE_MS;

const isTakeOver = ({ state, was_state, was_until }: Change): boolean =>
  state === 'running' && was_state === 'running' && was_until !== null;

/** Returns the milliseconds from the last lease renewal of each lost worker to the take-over of its run. */
export const takeOverTimes = (changes: readonly Change[]): number[] =>
  changes.filter(isTakeOver).map((change) => sinceRenewal(change.was_until as Date, change));

/**
 * Returns the milliseconds from the last lease renewal of each lost worker until its run is in the inbox, because the outcome of a call is unknown.
 */
export const inboxTimes = (changes: readonly Change[]): number[] =>
  [...groupBy(changes, ({ run }) => run).values()].flatMap((own) =>
    own.flatMap((change, index) => {
      const lost = own.slice(0, index).findLast(isTakeOver);
      return change.waiting_for === 'outcome' && lost ? [sinceRenewal(lost.was_until as Date, change)] : [];
    }),
  );

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
