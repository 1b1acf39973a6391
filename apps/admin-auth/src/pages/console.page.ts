import type { RequestHandler } from 'express';
import type { ConsoleFiles } from './console-files.js';
import { sendHtml } from './send-html.js';

/** The pages that apps/console draws, in the order of its own table of routes. The auth check decides who gets here. */
export const CONSOLE_PAGES = [
  '/admin',
  '/admin/profile',
  '/admin/settings',
  '/admin/setup',
  ...['skills', 'agents', 'mcp', 'content', 'plugins'].map((kind) => `/admin/build/${kind}{/:id}`),
  '/admin/build/files',
  '/admin/talk{/:agent{/:context}}',
  ...['prompts', 'blocks', 'conversations'].map((kind) => `/admin/${kind}{/:id}`),
  '/admin/access/users{/:user_id}',
  '/admin/audit',
  '/admin/jobs',
  '/admin/enterprises{/:project}',
  '/admin/reports/internal',
];

/** The console's page. A status of 404 shows its own page for addresses that lead nowhere. */
export function consolePage({ index }: Pick<ConsoleFiles, 'index'>, status: 200 | 404 = 200): RequestHandler {
  return (_request, response) => sendHtml(response, status, index);
}
