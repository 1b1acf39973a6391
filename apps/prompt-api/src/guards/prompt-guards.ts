import type { Caller } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { createGuards, listGuardPolicies, recordFindings, type AskFilter, type Guards } from '@millwright/guards';

/** Opens the guards of one run of a prompt. Finds are audited before the text is used. */
export type OpenGuards = (caller: Caller, promptId: string) => Promise<Guards>;

export const createPromptGuards =
  (db: Database, askFilter: AskFilter): OpenGuards =>
  async (caller, promptId) =>
    createGuards(
      await listGuardPolicies(db, caller.project),
      (point, findings) => recordFindings(db, { caller, resource: promptId }, point, findings),
      askFilter,
    );
