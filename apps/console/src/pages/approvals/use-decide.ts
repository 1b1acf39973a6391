import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { findApproval } from '../../api/approvals.js';
import { askArea } from '../../api/areas.js';
import { ApiError } from '../../api/client.js';
import { invalidate } from '../../api/invalidate.js';
import type { Approval, DecidedApproval } from '../../api/runtime-records.js';
import { RUNS_KEY } from '../../api/waiting-runs.js';
import { showFailure, useAction } from '../../ui/use-action.js';
import { conflictText } from './approval-text.js';

export interface Decision {
  decision: 'approve' | 'refuse';
  /** Arguments that replace the model's arguments. */
  arguments?: object;
  /** Reason for the decision. The model receives this text. */
  reason?: string;
}

/** Keys of the queries for runs and for the conversations that show them. */
const CHANGED = [RUNS_KEY, ['runtime', 'api', 'v1', 'agents']] as const;

/** Sends a decision. After a conflict, shows the earlier decision. `onInvalid` receives the reason when changed arguments are refused. */
export function useDecide({ run_id, id }: Approval, onInvalid: (fault: string) => void) {
  const queries = useQueryClient();
  return useAction(
    (decision: Decision) =>
      askArea<DecidedApproval>('runtime', 'POST', `/api/v1/runs/${run_id}/approvals/${id}`, decision),
    {
      refresh: CHANGED,
      done: (_answer, { decision }) => (decision === 'approve' ? 'Approved' : 'Refused'),
      onError: (error, decision) => {
        const code = error instanceof ApiError ? error.code.toLowerCase() : '';
        if (code === 'conflict') void showConflict();
        else if (code === 'validation_error' && decision.arguments) onInvalid(error.message);
        else showFailure(error);
      },
    },
  );

  async function showConflict(): Promise<void> {
    const present = await findApproval(run_id, id).catch(() => undefined);
    notifications.show({ message: conflictText(present), color: 'orange', role: 'alert', autoClose: 10_000 });
    for (const queryKey of CHANGED) void invalidate(queries, { queryKey });
  }
}
