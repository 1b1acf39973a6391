import { AppError } from '@millwright/errors';
import { followRun, type Followed, type RunEvent, type RunSignals, type RunStore } from '@millwright/runs';
import type { ContextStore } from '../conversations/contexts.store.js';
import type { Progress } from '../conversations/progress.js';
import type { AwaitedRun, Commit, ExecuteOptions } from './run-request.js';

export interface AwaitedRunDeps {
  runs: RunStore;
  signals: Pick<RunSignals, 'watch'>;
  contexts: Pick<ContextStore, 'findAnswer'>;
}

/** Whether a run failed because its agent or its conversation was deleted. */
export const isGone = (code: string | null | undefined) => code === 'not_found' || code === 'agent_deleted';

/** The error code of the answer to a client when its run failed in another process. */
const codeOf = (code: string | null | undefined) => (code === 'guard_blocked' ? code : 'unavailable');

/** The event that is written at the start of each attempt. */
const STARTED = 'run.running';

const isProgress = ({ type, data }: RunEvent) =>
  type === 'message.delta' ||
  type === 'tool.call' ||
  type === 'tool.result' ||
  (type === STARTED && 'taken_over' in data);

/**
 * Waits for the end of a run that another process executes. `attempt` is the last attempt that this process itself executed; its progress
 * was already reported. It is 0 when this process executed no attempt.
 */
export async function awaitEnd<Result>(
  { runs, signals, contexts }: AwaitedRunDeps,
  { id, agent }: AwaitedRun,
  { onProgress, onWaiting, signal }: Pick<ExecuteOptions<Result>, 'onProgress' | 'onWaiting' | 'signal'>,
  commit: Commit<Result>,
  attempt = 0,
): Promise<Result> {
  let last: Followed | undefined;
  let started = 0;
  for await (const part of followRun({ runs, signals }, id, 0, signal ?? new AbortController().signal)) {
    last = part;
    for (const event of part.events) {
      if (event.type === STARTED) started += 1;
      if (started > attempt && isProgress(event)) onProgress?.({ event: event.type, data: event.data } as Progress);
    }
    if (await runs.waitsForOthers(part.status)) break;
  }
  const { state, answerId, errorCode, waitingFor } = last?.status ?? {};
  if (state === 'completed' && answerId)
    return commit(async (tx) => {
      const message = await contexts.findAnswer(tx, agent, answerId);
      if (!message) throw new AppError('not_found');
      return message;
    });
  if (errorCode === 'forbidden' && !(await runs.hasActiveUser(id))) throw new AppError('unauthorized');
  if (state === 'failed') throw new AppError(isGone(errorCode) ? 'not_found' : codeOf(errorCode));
  if (state === 'waiting' && onWaiting) return onWaiting(id);
  const reason = state === 'waiting' ? `waits: ${String(waitingFor)}` : 'was canceled';
  throw new AppError('conflict', { fields: [{ field: 'run', reason }] });
}
