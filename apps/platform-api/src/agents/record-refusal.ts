import { recordDenial } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import { MissingScope } from '@millwright/catalog';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';

/** Does `work`; when it is refused for a scope, the attempt is recorded after its transaction has ended. */
export async function recordRefusal<Result>(
  db: Database,
  { project, actor }: Caller,
  { action, resource }: { action: string; resource: string },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.cause instanceof MissingScope)
      await recordDenial(db, { actor, action, resource, project }, error.cause.message);
    throw error;
  }
}
