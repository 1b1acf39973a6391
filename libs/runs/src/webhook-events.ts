import { encodeId } from '@millwright/db';
import type { NewEvent } from '@millwright/events';
import type { EndState, WaitReason } from './run-state.js';
import type { RunError } from './run.js';

/** States that are reported to webhooks. */
export type ReportedState = EndState | 'waiting';

/** A run whose state has changed. */
export interface ChangedRow {
  id: string;
  project: string;
  subject_kind: string;
  subject_name: string;
  subject_version: number | null;
  channel: string;
}

/**
 * Makes the event for the new state of a run. It contains ids, states and numbers only: inputs, answers and error texts
 * may be read only by callers who may read the run.
 */
export function webhookEvent(
  row: ChangedRow,
  state: ReportedState,
  { waitingFor, error }: { waitingFor?: WaitReason | undefined; error?: RunError | undefined },
): NewEvent {
  const { project, subject_kind, subject_name, subject_version, channel } = row;
  const id = encodeId('run', row.id);
  return {
    project,
    type: `run.${state}`,
    subject: id,
    data: {
      run: id,
      [subject_kind]: subject_name,
      version: subject_version,
      channel,
      ...(waitingFor !== undefined && { waiting_for: waitingFor }),
      ...(error && { error: { code: error.code, status: error.status ?? null } }),
    },
  };
}
