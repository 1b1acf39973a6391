import type { PageData } from '@millwright/pages';
import type { RequestHandler } from 'express';
import type { SendPage } from '../pages/send-page.js';
import { answerUrl, parseAuthorization, type ParsedAuthorization } from './authorization-request.js';

/** `GET /admin/oauth/authorize` (RFC 6749 §4.1.1): the page that performs the passkey ceremony. */
export function authorizePage(
  baseUrl: string,
  sendPage: SendPage,
  issuers: PageData['authorize']['issuers'],
): RequestHandler {
  return (request, response) => {
    let parsed: ParsedAuthorization;
    try {
      parsed = parseAuthorization(new URL(request.originalUrl, baseUrl).searchParams, baseUrl);
    } catch {
      const data = {
        text: ['It does not come from this console, so nothing was sent back to where it came from.'],
        links: [{ label: 'Start signing in again', href: '/admin/login' }],
        isError: true,
      };
      sendPage(response, 400, { name: 'notice', title: 'This request is not valid', data });
      return;
    }
    if ('fault' in parsed) response.redirect(303, answerUrl(baseUrl, { error: parsed.fault, state: parsed.state }));
    else sendPage(response, 200, { name: 'authorize', title: 'Sign in', data: { issuers } });
  };
}
