import { recordDenial } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import { MissingProof, MissingScope } from './agents.rules.js';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';

/**
 * Runs `work`. When an attempt is refused because of a missing scope or proof, the refusal is recorded after the
 * transaction of `work` has ended.
 */
export async function recordRefusal<Result>(
  db: Database,
  { project, actor }: Caller,
  { action, resource }: { action: string; resource: string },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const cause = error instanceof AppError ? error.cause : undefined;
    if (cause instanceof MissingScope || cause instanceof MissingProof)
      await recordDenial(db, { actor, action, resource, project }, cause.message);
    throw error;
  }
}
