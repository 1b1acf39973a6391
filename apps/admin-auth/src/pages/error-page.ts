import { CredentialMissing, passingFailure, prefersPage, type ErrorPage } from '@millwright/http';
import type { NoticeData } from '@millwright/pages';
import type { SendPage } from './send-page.js';
import { signInPath } from './sign-in-path.js';

const sessionOver = (signIn: string): NoticeData => ({
  text: [
    'Your session has ended, so nothing was done with what you sent.',
    'Sign in again: you come back to the question, and can answer it then.',
  ],
  links: [{ label: 'Sign in', href: signIn }],
  isError: true,
});

const NOT_FROM_HERE: NoticeData = {
  text: [
    'Your account has rights of administration, and may use the console from certain networks only. This is none of them.',
    'Connect to the network of your organisation, such as its VPN, and try again.',
  ],
  isError: true,
};

/**
 * Creates error pages for browsers that opened an address or sent a form: without a session, over a rate limit, or while a service does not
 * answer. Programs and scripts get JSON instead.
 */
export function createErrorPage(sendPage: SendPage): ErrorPage {
  return (failure, request, response) => {
    if (!prefersPage(request)) return false;
    if (failure instanceof CredentialMissing) {
      const data = sessionOver(signInPath(request));
      sendPage(response, 401, { name: 'notice', title: 'Your session has ended', data });
      return true;
    }
    if (failure.code === 'network_refused') {
      sendPage(response, 403, { name: 'notice', title: 'Not from this network', data: NOT_FROM_HERE });
      return true;
    }
    const passing = passingFailure(failure);
    if (!passing) return false;
    const data = { text: passing.text, isError: true };
    sendPage(response, failure.status, { name: 'notice', title: passing.title, data });
    return true;
  };
}
