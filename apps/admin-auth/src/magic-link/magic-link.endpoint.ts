import { AppError } from '@millwright/errors';
import { requestIdOf, type Gate } from '@millwright/http';
import { Router, type RequestHandler } from 'express';
import { z } from 'zod';
import { escapeHtml, sendPage } from '../pages/html.js';
import { countByAddress } from '../protection/count-by-address.js';
import { parseBody, readJson } from '../protection/json-body.js';
import type { CookieWriter, SessionTokens } from '../sessions/cookies.js';
import type { OpenedSession } from '../sessions/sessions.store.js';
import type { Delivery } from './delivery.js';
import type { MagicLinkStore } from './magic-link.store.js';

export interface MagicLinkOptions {
  baseUrl: string;
  gate: Gate;
  delivery: Delivery;
  links: MagicLinkStore;
  cookies: CookieWriter;
  mint: (opened: OpenedSession, isAdmin: boolean) => SessionTokens;
}

const Request = z.strictObject({ email: z.string().trim().min(1).max(254) });
const Validate = z.strictObject({ token: z.string().max(200) });

/** `POST /admin/api/magic-link/{request,validate}`: recovery for those who lost their passkey. */
export function magicLinkEndpoints({ baseUrl, gate, delivery, links, cookies, mint }: MagicLinkOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const count = countByAddress(gate);
  const message =
    delivery.channel === 'log'
      ? 'If an account has this email, a recovery link was made for it. Ask an operator of this installation to pass it on.'
      : 'If an account has this email, a recovery link is on its way to it.';

  /** The answer is the same whoever asks for whom, and does not wait for what differs. */
  const request: RequestHandler = async (incoming, response) => {
    const { email } = parseBody(Request, incoming);
    const ip = incoming.ip ?? '';
    if (!(await links.admitIp(ip))) throw new AppError('rate_limited', { retryAfter: 900 });
    const requestId = requestIdOf(incoming);
    delivery.start(async () => {
      const issued = await links.issue(email, { ip, requestId });
      return issued && { ...issued, url: `${baseUrl}/admin/magic-link?token=${issued.token}`, requestId };
    }, requestId);
    response.json({ message });
  };

  const validate: RequestHandler = async (incoming, response) => {
    const { token } = parseBody(Validate, incoming);
    const from = {
      ip: incoming.ip ?? '',
      userAgent: incoming.get('user-agent') ?? '',
      requestId: requestIdOf(incoming),
    };
    const recovered = /^[0-9a-f]{64}$/.test(token) ? await links.redeem(token, from) : undefined;
    if (!recovered) throw new AppError('unauthorized');
    cookies.setSession(response, mint(recovered.opened, recovered.isAdmin));
    response.json({ redirect_to: '/admin/profile' });
  };

  router.post('/admin/api/magic-link/request', count, readJson, request);
  router.post('/admin/api/magic-link/validate', count, readJson, validate);
  return router;
}

/** `GET /admin/magic-link`: asks for a link or, with a token, redeems it by a click, so that mail scanners burn nothing. */
export const magicLinkPage: RequestHandler = (request, response) => {
  const { token } = request.query;
  const redeem = (text: string) => `
<p>This signs you in once, so that you can add a new passkey.</p>
<form data-api="/admin/api/magic-link/validate" data-then="redirect_to">
<input type="hidden" name="token" value="${escapeHtml(text)}">
<p class="error" role="alert" hidden></p>
<button>Sign in</button>
</form>
<p class="soft">A link works once, for 15 minutes. <a href="/admin/magic-link">Ask for another</a></p>`;
  const ask = `
<p class="soft">A recovery link signs you in once when you have lost your passkey.</p>
<form data-api="/admin/api/magic-link/request" data-then="message" data-show>
<label>Email <input name="email" type="email" autocomplete="email" required maxlength="254" autofocus></label>
<p class="error" role="alert" hidden></p>
<p class="done" role="status" hidden></p>
<button>Ask for a link</button>
</form>
<p><a href="/admin/login">Sign in instead</a></p>`;
  sendPage(response, 200, 'Recover your account', typeof token === 'string' ? redeem(token) : ask, { script: 'forms' });
};
