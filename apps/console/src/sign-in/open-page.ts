import type { Page } from '@millwright/pages';
import { ApiError } from '../api/client.js';
import { failureText } from '../ui/failure-text.js';
import { post } from './post.js';

/**
 * Returns the page to show. A link has its one-time token in the fragment, which browsers do not send to servers. Logs and Referer headers
 * therefore do not contain the token; only the page posts it.
 */
export async function openPage(page: Page): Promise<Page> {
  const token = takeToken();
  if (page.name === 'setup-link') return openSetupLink(page.data, token);
  if (page.name === 'ask-magic-link' && token !== undefined) return openRecoveryLink(page.title, token);
  return page;
}

/** Builds the address of a setup page. */
export const setupAddress = (path: string, token: string) => `${path}#${new URLSearchParams({ token }).toString()}`;

/** Reads the token, and removes it from the address bar and the history. Links of earlier releases have it in the query. */
function takeToken(): string | undefined {
  const { pathname, search, hash } = window.location;
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? undefined;
  const query = new URLSearchParams(search);
  if (token === undefined && !query.has('token')) return undefined;
  query.delete('token');
  window.history.replaceState(null, '', query.size > 0 ? `${pathname}?${query.toString()}` : pathname);
  return token;
}

/** Codes of the server's answers to an invalid token. */
const INVALID: ReadonlySet<string> = new Set(['forbidden', 'unauthorized', 'validation_error']);

type SetupLink = Extract<Page, { name: 'setup-link' }>['data'];

async function openSetupLink({ opens, invalid }: SetupLink, token: string | undefined): Promise<Page> {
  const notice = { name: 'notice', ...invalid } as const;
  if (token === undefined) return notice;
  const account = { path: '/admin/api/passkey/register/account', body: { setup_token: token } };
  return openLink(account, (email) => ({ ...opens, data: { token, email } }), notice);
}

export const LINK_IS_OVER = 'This link has been used, has expired or is incomplete.';

function openRecoveryLink(title: string, token: string): Promise<Page> {
  const links = [{ label: 'Request a new link', href: '/admin/magic-link' }];
  const data = { text: [LINK_IS_OVER], links, isError: true };
  return openLink(
    { path: '/admin/api/magic-link/account', body: { token } },
    (email) => ({ name: 'redeem-magic-link', title, data: { token, email } }),
    { name: 'notice', title: 'This link is not valid', data },
  );
}

/** Returns the page of a link, with the email address of the link's account. For an invalid link, returns a notice. */
async function openLink(
  account: { path: string; body: object },
  opens: (email: string) => Page,
  invalid: Page,
): Promise<Page> {
  try {
    return opens((await post<{ email: string }>(account.path, account.body)).email);
  } catch (error) {
    if (error instanceof ApiError && INVALID.has(error.code)) return invalid;
    const text = [failureText(error), 'Your link still works: open it again.'];
    return { name: 'notice', title: 'Please try again', data: { text, isError: true } };
  }
}
