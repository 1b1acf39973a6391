import type { NoticeData } from '@millwright/pages';
import type { RequestHandler } from 'express';
import type { SendPage } from '../pages/send-page.js';
import type { PasskeyStore } from '../passkeys/passkeys.store.js';

export function registrationPage({ isOpen }: { isOpen: boolean }, sendPage: SendPage): RequestHandler {
  return (_request, response) => sendPage(response, 200, { name: 'register', title: 'Register', data: { isOpen } });
}

const INVALID: NoticeData = {
  text: [
    'A setup link works once and for a limited time. This one was used, has expired or is incomplete.',
    'Sign in if you have a passkey, register again, or ask an administrator for a new link.',
  ],
  links: [
    { label: 'Sign in', href: '/admin/login' },
    { label: 'Register', href: '/admin/register' },
  ],
  isError: true,
};

const TITLES = { 'add-passkey': 'Add your passkey', 'verify-pending': 'Creating your passkey' };

/** `/admin/add-passkey` says what comes, `/admin/verify-pending` does it. Both need a live setup token. */
export function setupPage(name: keyof typeof TITLES, passkeys: PasskeyStore, sendPage: SendPage): RequestHandler {
  return async (request, response) => {
    const { token } = request.query;
    const isToken = typeof token === 'string' && token.length <= 200;
    const found = isToken ? await passkeys.ownerOfSetupToken(token) : undefined;
    if (!isToken || !found) {
      sendPage(response, 403, { name: 'notice', title: 'This link is not valid', data: INVALID });
      return;
    }
    sendPage(response, 200, { name, title: TITLES[name], data: { token, email: found.owner.email } });
  };
}
