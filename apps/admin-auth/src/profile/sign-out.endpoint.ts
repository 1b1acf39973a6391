import { callerOf } from '@millwright/auth';
import type { Database } from '@millwright/db';
import type { Gate } from '@millwright/http';
import { requestOrigin } from '@millwright/http/protocol';
import type { RequestHandler } from 'express';
import type { CookieWriter } from '../sessions/cookies.js';
import { revokeSession } from '../sessions/sessions.store.js';

/** `POST /admin/api/sign-out`: ends this session and clears its cookies. */
export function signOut(db: Database, gate: Gate, cookies: CookieWriter): RequestHandler {
  return async (request, response) => {
    const principal = await gate(request, response, 'credential', 'session');
    const { actor } = callerOf(principal, requestOrigin(request));
    await db.transaction((tx) => revokeSession(tx, actor.userId, principal.session.id, actor, 'signed out'));
    cookies.clearSession(response);
    response.set('Cache-Control', 'no-store').status(204).end();
  };
}
