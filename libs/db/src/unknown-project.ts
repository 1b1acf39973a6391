import { AppError, invalidField } from '@millwright/errors';
import { failureChain } from './failures.js';

/** SQLSTATE that the triggers `require_project` raise for an account or credential of a project that does not exist. */
const SQLSTATE = 'MWP01';

/**
 * Returns the error for an account or credential whose project was deleted meanwhile. Any other failure is returned
 * unchanged.
 */
export function unknownProject(error: unknown): unknown {
  if (error instanceof AppError) return error;
  for (const { code, originalCode } of failureChain(error))
    if (code === SQLSTATE || originalCode === SQLSTATE) return invalidField('project', 'is not a project');
  return error;
}
