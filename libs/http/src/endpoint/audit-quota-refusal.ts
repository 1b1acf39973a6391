import { recordDenialIn } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import { type Database } from '@millwright/db';
import { noteQuotaRefusal, quotaRefusal } from '@millwright/db/quotas';

/**
 * Makes a handler for `.catch`. It writes an audit row for a change that a quota refused: at most one row an hour for
 * each project and kind, over all processes.
 *
 * @throws the failure that the handler receives
 */
export function auditQuotaRefusal(db: Database, caller: Caller | undefined) {
  return async (error: unknown): Promise<never> => {
    const refusal = quotaRefusal(error);
    if (refusal && caller) {
      const { project, kind, measure, limit, used, more } = refusal;
      const { actor } = caller;
      const detail = { measure, limit, used, more };
      await db.transaction(async (tx) => {
        if (!(await noteQuotaRefusal(tx, refusal))) return;
        await recordDenialIn(tx, { actor, action: 'quota.exceed', resource: kind, project, detail }, 'quota');
      });
    }
    throw error;
  };
}
