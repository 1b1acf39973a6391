import { randomBytes } from 'node:crypto';
import type { RequestHandler } from 'express';
import { readCookie } from '../sessions/cookies.js';
import type { ConsoleFiles } from './console-files.js';

/** The console's own script and style files run, and the style elements that carry the answer's nonce: nothing inline, nothing foreign. */
const policy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The pages that apps/console draws, in the order of its own table of routes. The auth check decides who gets here. */
export const CONSOLE_PAGES = [
  '/admin',
  '/admin/profile',
  '/admin/settings',
  '/admin/setup',
  '/admin/access/users{/:user_id}',
  '/admin/audit',
  '/admin/jobs',
  '/admin/enterprises{/:project}',
  '/admin/reports/internal',
];

/** The console's page, in the colours its user chose. A status of 404 shows its own page for addresses that lead nowhere. */
export function consolePage({ index }: Pick<ConsoleFiles, 'index'>, status: 200 | 404 = 200): RequestHandler {
  return (request, response) => {
    const nonce = randomBytes(16).toString('base64');
    const chosen = readCookie(request, 'theme');
    response.status(status).set({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy(nonce),
      'Referrer-Policy': 'same-origin',
      'Cache-Control': 'no-store',
    });
    const scheme = chosen === 'dark' || chosen === 'light' ? chosen : 'auto';
    response.send(index.replaceAll('__CSP_NONCE__', nonce).replace('__COLOR_SCHEME__', scheme));
  };
}
