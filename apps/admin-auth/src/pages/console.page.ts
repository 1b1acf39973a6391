import type { RequestHandler } from 'express';
import type { ConsoleFiles } from './console-files.js';
import { sendHtml } from './send-html.js';

/** Paths of the pages that apps/console renders, in the order of its route table. Access to a page is checked earlier. */
export const CONSOLE_PAGES = [
  '/chat{/:context}',
  '/chat/passages/:id',
  '/admin',
  '/admin/profile',
  '/admin/settings',
  '/admin/setup',
  '/admin/connect',
  ...['models', 'agents', 'skills', 'mcp', 'content', 'plugins'].map((kind) => `/admin/build/${kind}{/:id}`),
  '/admin/build/tool-policy',
  '/admin/build/guards',
  '/admin/build/files',
  '/admin/talk{/:agent{/:context}}',
  ...['prompts', 'blocks', 'conversations'].map((kind) => `/admin/${kind}{/:id}`),
  '/admin/access/users{/:user_id}',
  '/admin/inbox',
  '/admin/runs{/:id}',
  '/admin/audit',
  '/admin/jobs',
  '/admin/triggers{/:id}',
  '/admin/webhooks{/:id}',
  '/admin/budgets{/:id}',
  '/admin/limits',
  '/admin/enterprises{/:project}',
  '/admin/usage',
  '/admin/reports/internal',
];

/** Serves the console's page. With status 404, the console shows its page for unknown addresses. */
export function consolePage(
  { index }: Pick<ConsoleFiles, 'index'>,
  baseUrl: string,
  status: 200 | 404 = 200,
): RequestHandler {
  return (_request, response) => {
    // The pages of sign-in and consent do not get this header: applications open these pages in windows that must be able to send the
    // result back to the application.
    response.set('Cross-Origin-Opener-Policy', 'same-origin');
    sendHtml(response, status, index, { baseUrl, showsImages: true });
  };
}
