import type { NoticeData, Page } from '@millwright/pages';
import type { RequestHandler, Response } from 'express';
import type { SendPage } from '../pages/send-page.js';
import type { PasskeyStore } from '../passkeys/passkeys.store.js';
import type { RegistrationRules } from './registration.service.js';

export function registrationPage(rules: RegistrationRules, sendPage: SendPage): RequestHandler {
  const { allowRegistration: isOpen, claimRequiresInvite, roles, sendsLink } = rules;
  return (_request, response) => {
    if (!isOpen && claimRequiresInvite)
      sendPage(response, 200, { name: 'notice', title: 'Registration is closed', data: CLOSED });
    else {
      const data = { isOpen, roles: isOpen ? roles : ['user' as const], sendsLink };
      sendPage(response, 200, { name: 'register', title: 'Create your account', data });
    }
  };
}

const CLOSED: NoticeData = {
  text: ['Accounts are created by an administrator. Ask one for a setup link: it lets you add your passkey.'],
  links: [{ label: 'Sign in', href: '/admin/login' }],
};

const NOT_VALID = 'This link is not valid';
const INVALID: NoticeData = {
  text: [
    'A setup link works once and for a limited time. This one has been used, has expired or is incomplete.',
    'If you have a passkey, sign in. Otherwise create your account again, or ask an administrator for a new link.',
  ],
  links: [
    { label: 'Sign in', href: '/admin/login' },
    { label: 'Create account', href: '/admin/register' },
  ],
  isError: true,
};

const TITLES = { 'add-passkey': 'Add your passkey', 'verify-pending': 'Creating your passkey' };

/**
 * Serves `/admin/add-passkey`, which explains the next step, and `/admin/verify-pending`, which performs it. Both pages need a live setup
 * token. The token is in the fragment, where the page's script reads it, or, in links of former releases, in the query.
 */
export function setupPage(name: keyof typeof TITLES, passkeys: PasskeyStore, sendPage: SendPage): RequestHandler {
  const title = TITLES[name];
  const answer = (response: Response, status: number, page: Page) =>
    sendPage(response, status, page, { isReferrerSent: false });
  return async (request, response) => {
    const { token } = request.query;
    if (token === undefined) {
      const data = { opens: { name, title }, invalid: { title: NOT_VALID, data: INVALID } };
      answer(response, 403, { name: 'setup-link', title: 'Set up your account', data });
      return;
    }
    const isToken = typeof token === 'string' && token.length <= 200;
    const found = isToken ? await passkeys.ownerOfSetupToken(token) : undefined;
    if (!isToken || !found) answer(response, 403, { name: 'notice', title: NOT_VALID, data: INVALID });
    else answer(response, 200, { name, title, data: { token, email: found.owner.email } });
  };
}
