import { AppError, invalidField } from '@millwright/errors';
import { failureChain } from './failures.js';

/** SQLSTATE of an account or credential for a project that does not exist, raised by the triggers `require_project`. */
const SQLSTATE = 'MWP01';

/** The error of an account or credential whose project was deleted meanwhile; any other failure is returned unchanged. */
export function unknownProject(error: unknown): unknown {
  if (error instanceof AppError) return error;
  for (const { code, originalCode } of failureChain(error))
    if (code === SQLSTATE || originalCode === SQLSTATE) return invalidField('project', 'is not a project');
  return error;
}
