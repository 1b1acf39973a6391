import { AppError } from '@millwright/errors';
import { rolesFor, type Gate } from '@millwright/http';
import type { NoticeData } from '@millwright/pages';
import type { RequestHandler } from 'express';
import { pageAccess } from './page-access.js';
import { signInPath } from './sign-in-path.js';
import type { SendPage } from './send-page.js';

const NOT_ALLOWED: NoticeData = {
  text: [
    "This page is for the platform's own administrators. Your account is not one of them.",
    'If you need it, ask an operator of this installation.',
  ],
  links: [{ label: 'Go to your profile', href: '/admin/profile' }],
  isError: true,
};

/** Redirects browsers without a session to sign in, and users without a page's role to a page that they may open. */
export function guardPages(gate: Gate, sendPage: SendPage): RequestHandler {
  return async (request, response, next) => {
    const { method, path } = request;
    const access = pageAccess(path);
    const isPage = (method === 'GET' || method === 'HEAD') && !path.startsWith('/admin/api/');
    if (!isPage || access === 'public') {
      next();
      return;
    }
    const { signedIn } = response.locals;
    if (!signedIn) {
      response.set('Cache-Control', 'no-store').redirect(303, signInPath(request));
      return;
    }
    const roles = rolesFor(access);
    if (!roles || roles.some((role) => signedIn.roles.includes(role))) {
      next();
      return;
    }
    try {
      await gate(request, response, 'credential', access);
    } catch (error) {
      // The refusal is counted and recorded like every refusal; only the answer is an HTML page.
      if (!(error instanceof AppError) || error.code !== 'forbidden') throw error;
      if (roles[0] !== 'platform_admin') response.redirect(303, '/admin/profile');
      else sendPage(response, 403, { name: 'notice', title: 'Not allowed', data: NOT_ALLOWED });
    }
  };
}
