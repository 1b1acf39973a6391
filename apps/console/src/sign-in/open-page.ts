import type { Page } from '@millwright/pages';
import { ApiError } from '../api/client.js';
import { failureText } from '../ui/failure-text.js';
import { post } from './post.js';

/** Links have their one-time token in the fragment: it reaches no server, log or Referer before the page posts it. */
export async function openPage(page: Page): Promise<Page> {
  const token = takeToken();
  if (page.name === 'setup-link') return openSetupLink(page.data, token);
  if (page.name !== 'ask-magic-link' || token === undefined) return page;
  return { name: 'redeem-magic-link', title: page.title, data: { token } };
}

/** The address of a setup page. */
export const setupAddress = (path: string, token: string) => `${path}#${new URLSearchParams({ token }).toString()}`;

/** Reads the token and clears it from the address bar and the history; links of a former release have it in the query. */
function takeToken(): string | undefined {
  const { pathname, search, hash } = window.location;
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? undefined;
  const query = new URLSearchParams(search);
  if (token === undefined && !query.has('token')) return undefined;
  query.delete('token');
  window.history.replaceState(null, '', query.size > 0 ? `${pathname}?${query.toString()}` : pathname);
  return token;
}

type SetupLink = Extract<Page, { name: 'setup-link' }>['data'];

async function openSetupLink({ opens, invalid }: SetupLink, token: string | undefined): Promise<Page> {
  const notice = { name: 'notice', ...invalid } as const;
  if (token === undefined) return notice;
  try {
    const account = { setup_token: token };
    const { email } = await post<{ email: string }>('/admin/api/passkey/register/account', account);
    return { ...opens, data: { token, email } };
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'forbidden' || error.code === 'validation_error')) return notice;
    const text = [failureText(error), 'Your link still works: open it again.'];
    return { name: 'notice', title: 'Please try again', data: { text, isError: true } };
  }
}
