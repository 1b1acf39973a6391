import type { Request, RequestHandler, Response } from 'express';
import type { SessionPrincipal } from '@millwright/http';

/** Renders a page for a signed-in user; other requests go to the next handler. */
export function signedIn(
  render: (principal: SessionPrincipal, request: Request, response: Response) => Promise<void> | void,
): RequestHandler {
  return (request, response, next) => {
    const { signedIn: principal } = response.locals;
    if (principal) return render(principal, request, response);
    next();
  };
}
