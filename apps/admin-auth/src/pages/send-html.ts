import { randomBytes } from 'node:crypto';
import type { Response } from 'express';
import { readCookie } from '../sessions/cookies.js';

/**
 * Returns the content security policy of a page. It allows scripts, styles and images of the console's build only, and style elements with
 * the nonce of the answer. Other files of this origin are refused, because this origin also serves files that users uploaded.
 */
const policy = (nonce: string, { baseUrl, formAction, showsImages = false }: HtmlOptions) =>
  [
    "default-src 'none'",
    `script-src ${baseUrl}/admin/assets/`,
    `style-src ${baseUrl}/admin/assets/ 'nonce-${nonce}'`,
    `img-src ${baseUrl}/admin/assets/${showsImages ? ' blob:' : ''}`,
    "connect-src 'self'",
    "base-uri 'none'",
    `form-action 'self'${formAction === undefined ? '' : ` ${formAction}`}`,
    "frame-ancestors 'none'",
  ].join('; ');

export interface HtmlOptions {
  /** Origin of the console: scheme, host and port. */
  baseUrl: string;
  /** HTML for each `__NAME__` of the file, by name. */
  filled?: Readonly<Record<string, string>>;
  /** Whether the page shows images that it has fetched with the user's rights, or that the user attaches (`blob:`). Default: false. */
  showsImages?: boolean;
  /** A further address to which forms of the page may be sent. */
  formAction?: string | undefined;
  /** Whether the page's requests to this origin send a Referer. Default: true. */
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
    // By default a referrer is sent, because forms without a referrer send `Origin: null`, which is refused.
    'Referrer-Policy': options.isReferrerSent !== false ? 'same-origin' : 'no-referrer',
    'Cache-Control': 'no-store',
    'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  });
  if (response.req.secure) response.set('Strict-Transport-Security', 'max-age=31536000');
  // Replaces all names in one pass, so that a name inside an inserted text stays unchanged.
  response.send(html.replaceAll(/__([A-Z_]+?)__/g, (name, key: string) => filled[key] ?? name));
}
