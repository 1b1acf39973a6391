import { recordDenial } from '@millwright/audit';
import { callerOf } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { requestIdOf, type Gate } from '@millwright/http';
import type { NoticeData } from '@millwright/pages';
import type { Request, RequestHandler, Response } from 'express';
import type { SendPage } from '../pages/send-page.js';
import { contextOf, type UserContext } from '../sessions/user-context.js';
import { accessOf } from './route-table.js';

/** A page is what a browser shows: asked for by GET, outside the JSON routes. */
function isPage(request: Request): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && !request.path.startsWith('/admin/api/');
}

const NOT_ALLOWED: NoticeData = {
  text: [
    "This page is for the platform's own administrators. Your account is not one of them.",
    'If you need it, ask an operator of this installation.',
  ],
  links: [{ label: 'Go to your profile', href: '/admin/profile' }],
  isError: true,
};

/** What `WWW-Authenticate` says with every 401. */
export const CHALLENGE = 'Cookie realm="millwright"';

/** What a browser shows after a form was sent; programs and scripts take JSON. */
const showsAnswer = (request: Request) => request.accepts(['json', 'html']) === 'html';

const sessionOver = (signIn: string): NoticeData => ({
  text: [
    'Your session has ended, so nothing was done with what you sent.',
    'Sign in again: you come back to the question, and can answer it then.',
  ],
  links: [{ label: 'Sign in', href: signIn }],
  isError: true,
});

/** The second of the two layers: refuses protected routes without a valid user, and those beyond the user's role. */
export function authCheck(db: Database, gate: Gate, sendPage: SendPage): RequestHandler {
  async function refuse(request: Request, response: Response, context: UserContext, reason: string): Promise<void> {
    // Counted first: refusals leave a row each.
    await gate(request, response, 'credential', true);
    const caller = callerOf(context.principal, { requestId: requestIdOf(request), ip: request.ip ?? '' });
    const entry = {
      actor: caller.actor,
      action: 'console.access',
      resource: request.path.slice(0, 500),
      project: caller.project,
    };
    await recordDenial(db, entry, reason);
    if (!isPage(request)) throw new AppError('forbidden');
    if (reason === 'not an admin') response.redirect(303, '/admin/profile');
    else sendPage(response, 403, { name: 'notice', title: 'Not allowed', data: NOT_ALLOWED });
  }

  return async (request, response, next) => {
    const access = accessOf(request.path);
    const context = contextOf(request);
    if (access === 'public' || access === 'setup') {
      next();
      return;
    }
    if (!context) {
      // The path and query alone: a request line may hold a whole URL, and the browser is sent where this says.
      const { pathname, search } = new URL(request.originalUrl, 'http://path.invalid');
      const signIn = `/admin/login?redirect=${encodeURIComponent(pathname + search)}`;
      response.set('Cache-Control', 'no-store');
      if (isPage(request)) {
        response.redirect(303, signIn);
        return;
      }
      // Without a principal the gate counts the caller's address, and refuses who gets no page.
      await gate(request, response, 'credential', !showsAnswer(request));
      response.set('WWW-Authenticate', CHALLENGE);
      sendPage(response, 401, { name: 'notice', title: 'Your session has ended', data: sessionOver(signIn) });
      return;
    }
    if (access === 'platform_admin' && !context.isPlatformAdmin)
      return refuse(request, response, context, 'not a platform admin');
    if (access === 'admin' && !context.isAdmin) return refuse(request, response, context, 'not an admin');
    next();
  };
}
