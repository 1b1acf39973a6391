import type { RequestHandler } from 'express';
import type { SendPage } from './send-page.js';

/** Serves the page for unknown addresses outside the console. */
export function unknownPage(sendPage: SendPage): RequestHandler {
  const data = {
    text: ["This page doesn't exist. The link may be outdated or incomplete."],
    links: [{ label: 'Go to profile', href: '/admin/profile' }],
  };
  return (_request, response) => sendPage(response, 404, { name: 'notice', title: 'Page not found', data });
}
