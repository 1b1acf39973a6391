import { passingFailure, prefersPage, type ErrorPage } from '@millwright/http';
import { sendPlainPage } from '@millwright/http/protocol';
import type { Response } from 'express';

/** Sends the page for a person whose browser cannot be redirected to the application. */
export function sendErrorPage(response: Response, text: string): void {
  sendPlainPage(response, {
    status: 400,
    title: 'Authorization failed',
    paragraphs: [
      text,
      "Nothing was shared. Go back to the application and start again. If it fails again, contact the app's developer.",
    ],
  });
}

/** The page that a browser gets before or after consent when a limit is exceeded or the service is unavailable. */
export const authorizeErrorPage: ErrorPage = (failure, request, response) => {
  const passing = passingFailure(failure);
  if (!passing || !request.path.startsWith('/oauth/authorize') || !prefersPage(request)) return false;
  sendPlainPage(response, { status: failure.status, title: passing.title, paragraphs: passing.text });
  return true;
};
