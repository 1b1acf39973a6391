import type { Request, RequestHandler, Response } from 'express';
import { contextOf, type UserContext } from '../sessions/user-context.js';

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
