import type { Request, RequestHandler, Response } from 'express';
import { contextOf, type UserContext } from '../sessions/user-context.js';

/** Links between the pages of a signed-in user. */
export function navigationFor({ isAdmin }: UserContext): string {
  const links = [
    ...(isAdmin ? [['/admin', 'Dashboard']] : []),
    ['/admin/profile', 'Profile'],
    ['/admin/setup', 'Set up'],
  ];
  const items = links.map(([href, text]) => `<a href="${href}">${text}</a>`).join('');
  return `<nav aria-label="Console">${items}</nav>`;
}

/** A page behind the auth check. */
export function signedIn(
  render: (context: UserContext, request: Request, response: Response) => Promise<void> | void,
): RequestHandler {
  return (request, response, next) => {
    const context = contextOf(request);
    if (context) return render(context, request, response);
    next();
  };
}
