import { recordDenialIn } from '@millwright/audit';
import { callerOf, type Principal } from '@millwright/auth';
import { noteQuotaRefusal, quotaRefusal, type Database } from '@millwright/db';
import type { Request } from 'express';
import { requestOrigin } from '../protocol/request-origin.js';

/**
 * Handler for `.catch`: audits a change that a quota refused, at most one an hour for each project and kind, however many processes
 * refuse it.
 *
 * @throws the failure itself
 */
export function auditQuotaRefusal(db: Database, principal: Principal | undefined, request: Request) {
  return async (error: unknown): Promise<never> => {
    const refusal = quotaRefusal(error);
    if (refusal && principal) {
      const { project, kind, measure, limit, used, more } = refusal;
      const { actor } = callerOf(principal, requestOrigin(request));
      const detail = { measure, limit, used, more };
      await db.transaction(async (tx) => {
        if (!(await noteQuotaRefusal(tx, refusal))) return;
        await recordDenialIn(tx, { actor, action: 'quota.exceed', resource: kind, project, detail }, 'quota');
      });
    }
    throw error;
  };
}
