import type { RequestHandler } from 'express';
import { sendPage } from './html.js';

/** What a browser sees where there is no page outside the console. */
export const unknownPage: RequestHandler = (_request, response) =>
  sendPage(
    response,
    404,
    'Not found',
    `
<p>There is no page at this address.</p>
<p><a href="/admin">Go to the dashboard</a></p>`,
  );
