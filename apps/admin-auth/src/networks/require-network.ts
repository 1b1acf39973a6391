import { recordSampledDenial } from '@millwright/audit';
import { callerOf, type Principal, type Project } from '@millwright/auth';
import { encodeId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { requestOrigin } from '@millwright/http/protocol';
import type { RequestHandler } from 'express';
import { pageAccess } from '../pages/page-access.js';

/** Whether an account has more rights than a user. */
const administers = ({ roles }: Principal) => roles.some((role) => role !== 'user');

/** Whether a request is allowed from every address, because it needs no session or signs out. */
function isExempt(method: string, path: string): boolean {
  if (path === '/admin/api/sign-out') return true;
  return (method === 'GET' || method === 'HEAD') && pageAccess(path) === 'public';
}

/**
 * Refuses requests of accounts with more rights than a user when they come from an address outside the networks of the account's project.
 * The refusals of an account are recorded at most once a minute.
 */
export function requireNetwork(
  db: Database,
  isAllowed: (project: Project, address: string) => boolean,
): RequestHandler {
  return async (request, response, next) => {
    const { signedIn } = response.locals;
    const { method, path, ip = '' } = request;
    if (!signedIn || !administers(signedIn) || isExempt(method, path) || isAllowed(signedIn.project, ip)) {
      next();
      return;
    }
    const { actor, project } = callerOf(signedIn, requestOrigin(request));
    const resource = encodeId('usr', signedIn.user.id);
    await recordSampledDenial(
      db,
      { actor, project, action: 'session.network', resource },
      'address outside the networks',
    );
    throw new AppError('network_refused');
  };
}
