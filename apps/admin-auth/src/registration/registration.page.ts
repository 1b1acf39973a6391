import type { NoticeData } from '@millwright/pages';
import type { RequestHandler } from 'express';
import type { SendPage } from '../pages/send-page.js';
import type { PasskeyStore } from '../passkeys/passkeys.store.js';

export function registrationPage({ isOpen }: { isOpen: boolean }, sendPage: SendPage): RequestHandler {
  return (_request, response) =>
    sendPage(response, 200, { name: 'register', title: 'Create your account', data: { isOpen } });
}

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
