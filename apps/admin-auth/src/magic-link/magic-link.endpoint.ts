import { isOneTimeToken } from '@millwright/auth';
import { heldBy } from '../sessions/user-context.js';
import { AppError } from '@millwright/errors';
import type { Gate } from '@millwright/http';
import { requestIdOf } from '@millwright/http/process';
import type { NoticeData, Page } from '@millwright/pages';
import { ipKey } from '@millwright/rate-limit';
import { Router, type Request as ExpressRequest, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import type { SendPage } from '../pages/send-page.js';
import { countByAddress } from '../protection/count-by-address.js';
import { countSignIn } from '../protection/count-sign-in.js';
import { parseBody, readJson } from '../protection/json-body.js';
import type { CookieWriter, SessionTokens } from '../sessions/cookies.js';
import type { OpenedSession } from '../sessions/sessions.store.js';
import type { Recovery } from './delivery-config.js';
import type { Delivery } from './delivery.js';
import type { MagicLinkStore } from './magic-link.store.js';

export interface MagicLinkOptions {
  baseUrl: string;
  gate: Gate;
  delivery: Delivery;
  links: MagicLinkStore;
  recovery: Recovery;
  cookies: CookieWriter;
  mint: (opened: OpenedSession, isAdmin: boolean) => SessionTokens;
}

const Request = z.strictObject({ email: z.string().trim().min(1).max(254) });
const Link = z.strictObject({ token: z.string().max(200) });

/** `POST /admin/api/magic-link/{request,account,validate}`: recovery of an account without its passkey. */
export function magicLinkEndpoints(options: MagicLinkOptions): Router {
  const { baseUrl, gate, delivery, links, recovery, cookies, mint } = options;
  const router = Router({ caseSensitive: true, strict: true });
  const count = countByAddress(gate);
  const message =
    delivery.channel === 'log'
      ? 'If an account has this email, a recovery link was made for it. Ask an operator of this installation to pass it on.'
      : 'If an account has this email, a recovery link is on its way to it.';

  /**
   * Returns the same answer in the same time for every email address, so that neither the answer nor its timing reveals whether an account
   * exists.
   */
  const request: RequestHandler = async (incoming, response) => {
    if (recovery === 'off') throw new AppError('forbidden');
    const { email } = parseBody(Request, incoming);
    const ip = incoming.ip ?? '';
    if (!(await links.admitIp(ipKey(ip)))) throw new AppError('rate_limited', { retryAfter: 900 });
    const requestId = requestIdOf(incoming);
    delivery.start(async () => {
      const issued = await links.issue(email, { ip, requestId });
      return (
        issued && {
          ...issued,
          purpose: 'recovery' as const,
          url: `${baseUrl}/admin/magic-link#token=${issued.token}`,
          requestId,
        }
      );
    }, requestId);
    response.json({ message });
  };

  /** Returns the account of a link, so that the page can name it before anyone is signed in. */
  const account: RequestHandler = async (incoming, response) => {
    const { token } = parseBody(Link, incoming);
    const email = isOneTimeToken(token) ? await links.emailOf(token) : undefined;
    if (email === undefined) throw new AppError('unauthorized');
    response.json({ email });
  };

  const validate = async (incoming: ExpressRequest, response: Response): Promise<void> => {
    const { token } = parseBody(Link, incoming);
    const from = {
      ip: incoming.ip ?? '',
      userAgent: incoming.get('user-agent') ?? '',
      requestId: requestIdOf(incoming),
      held: heldBy(response),
    };
    const recovered = isOneTimeToken(token) ? await links.redeem(token, from) : undefined;
    if (!recovered) throw new AppError('unauthorized');
    cookies.setSession(response, mint(recovered.opened, recovered.isAdmin));
    response.json({ redirect_to: '/admin/profile' });
  };

  router.post('/admin/api/magic-link/request', count, readJson, request);
  router.post('/admin/api/magic-link/account', count, readJson, account);
  router.post('/admin/api/magic-link/validate', count, readJson, (incoming, response) =>
    countSignIn('magic_link', validate(incoming, response)),
  );
  return router;
}

/**
 * `GET /admin/magic-link`: a form to request a link or, with a token, a button that redeems the token. The button is necessary, because a
 * mail scanner that opens the link must not consume the token. The page reads the token from the fragment, or from the query for links of
 * former releases.
 */
export function magicLinkPage(recovery: Recovery, sendPage: SendPage): RequestHandler {
  const title = 'Recover your account';
  return (_request, response) => {
    const answer = (page: Page) => sendPage(response, 200, page, { isReferrerSent: false });
    if (recovery === 'off') answer({ name: 'notice', title: 'Recovery by email is off', data: OFF });
    else answer({ name: 'ask-magic-link', title, data: {} });
  };
}

const OFF: NoticeData = {
  text: ['This installation sends no recovery links. If you lost your passkey, ask an administrator for a setup link.'],
  links: [{ label: 'Sign in', href: '/admin/login' }],
};
