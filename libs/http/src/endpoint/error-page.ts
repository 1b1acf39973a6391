import type { AppError } from '@millwright/errors';
import type { Request, Response } from 'express';

/** Answers a failure with a page. Returns `false` and sends nothing when the failure has no page. */
export type ErrorPage = (failure: AppError, request: Request, response: Response) => boolean;

/** Whether the client prefers a page to JSON, such as a browser that opens an address or sends a form. */
export const prefersPage = (request: Request): boolean => request.accepts(['json', 'html']) === 'html';

/** Title and text of the page for a temporary failure; `undefined` for every other failure. */
export function passingFailure({ code, retryAfter = 1 }: AppError): { title: string; text: string[] } | undefined {
  const again = `Try again in ${retryAfter === 1 ? 'a second' : `${retryAfter} seconds`}.`;
  if (code === 'rate_limited')
    return { title: 'Too many requests', text: ['Too many requests came from here in a short time.', again] };
  if (code === 'unavailable')
    return { title: 'Not available right now', text: ['The service cannot answer at the moment.', again] };
  return undefined;
}
