import { recordDenial } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import { MissingProof, MissingScope } from '@millwright/catalog';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';

/** Does `work`; when it is refused for a scope or a missing proof, the attempt is recorded after its transaction has ended. */
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
