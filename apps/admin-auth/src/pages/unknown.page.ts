import type { RequestHandler } from 'express';
import type { SendPage } from './send-page.js';

/** What a browser sees where there is no page outside the console. */
export function unknownPage(sendPage: SendPage): RequestHandler {
  const data = {
    text: ['There is no page at this address. The link may be old, or was not copied whole.'],
    links: [{ label: 'Go to your profile', href: '/admin/profile' }],
  };
  return (_request, response) => sendPage(response, 404, { name: 'notice', title: 'Not found', data });
}
