import { callerOf } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { requestIdOf } from '@millwright/http';
import type { RequestHandler } from 'express';
import type { CookieWriter } from '../sessions/cookies.js';
import { revokeSession } from '../sessions/sessions.store.js';
import { contextOf } from '../sessions/user-context.js';

/** `POST /admin/api/sign-out`: ends this session and clears its cookies. */
export function signOut(db: Database, cookies: CookieWriter): RequestHandler {
  return async (request, response) => {
    const context = contextOf(request);
    if (context) {
      const { actor } = callerOf(context.principal, { requestId: requestIdOf(request), ip: request.ip ?? '' });
      await db.transaction((tx) => revokeSession(tx, actor.userId, context.sessionId, actor, 'signed out'));
    }
    cookies.clearSession(response);
    response.set('Cache-Control', 'no-store').status(204).end();
  };
}
