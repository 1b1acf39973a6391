import { randomBytes } from 'node:crypto';
import type { Response } from 'express';
import { readCookie } from '../sessions/cookies.js';

/**
 * Our own script and style files run, and the style elements that carry the answer's nonce: nothing inline, nothing foreign, and nothing
 * else of this origin, where files that users uploaded are reachable too.
 */
const policy = (nonce: string, { baseUrl, formAction }: HtmlOptions) =>
  [
    "default-src 'none'",
    `script-src ${baseUrl}/admin/assets/`,
    `style-src ${baseUrl}/admin/assets/ 'nonce-${nonce}'`,
    `img-src ${baseUrl}/admin/assets/`,
    "connect-src 'self'",
    "base-uri 'none'",
    `form-action 'self'${formAction === undefined ? '' : ` ${formAction}`}`,
    "frame-ancestors 'none'",
  ].join('; ');

export interface HtmlOptions {
  /** Origin of the console. */
  baseUrl: string;
  /** HTML for each `__NAME__` of the file, by name. */
  filled?: Readonly<Record<string, string>>;
  /** A further target of the page's forms. */
  formAction?: string | undefined;
  /** Whether requests to this origin have a Referer. Default: true. */
  isReferrerSent?: boolean;
}

/** Sends an HTML file of the console's build, in the colours that its user chose. */
export function sendHtml(response: Response, status: number, html: string, options: HtmlOptions): void {
  const nonce = randomBytes(16).toString('base64');
  const chosen = readCookie(response.req, 'theme');
  const scheme = chosen === 'dark' || chosen === 'light' ? chosen : 'auto';
  const filled: Readonly<Record<string, string>> = { ...options.filled, CSP_NONCE: nonce, COLOR_SCHEME: scheme };
  response.status(status).set({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy(nonce, options),
    // The origin as referrer, because without one forms would send `Origin: null`.
    'Referrer-Policy': options.isReferrerSent !== false ? 'same-origin' : 'no-referrer',
    'Cache-Control': 'no-store',
    'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  });
  if (response.req.secure) response.set('Strict-Transport-Security', 'max-age=31536000');
  // One pass, so that inserted text is not searched for names.
  response.send(html.replaceAll(/__([A-Z_]+?)__/g, (name, key: string) => filled[key] ?? name));
}
