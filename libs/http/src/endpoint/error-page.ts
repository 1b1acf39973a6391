import type { AppError } from '@millwright/errors';
import type { Request, Response } from 'express';

/** Answers a failure with a page. `false`: it is not one for a page, and nothing was sent. */
export type ErrorPage = (failure: AppError, request: Request, response: Response) => boolean;

/** Whether the client prefers a page to JSON, as browsers do that open an address or send a form. */
export const prefersPage = (request: Request): boolean => request.accepts(['json', 'html']) === 'html';

/** The words of a page for a failure that passes; `undefined` for every other failure. */
export function passingFailure({ code, retryAfter = 1 }: AppError): { title: string; text: string[] } | undefined {
  const again = `Try again in ${retryAfter === 1 ? 'a second' : `${retryAfter} seconds`}.`;
  if (code === 'rate_limited')
    return { title: 'Too many requests', text: ['Too many requests came from here in a short time.', again] };
  if (code === 'unavailable')
    return { title: 'Not available right now', text: ['The service cannot answer at the moment.', again] };
  return undefined;
}
