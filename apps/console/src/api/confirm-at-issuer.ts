import type { Items, UserSession } from './admin-records.js';
import { ApiError, type Send } from './client.js';

/**
 * Handles the failure of a passkey proof. If the account has no passkey and an identity provider opened the session, the browser opens the
 * provider's page for a new confirmation, and then returns to the current page. Rethrows any other failure.
 */
export async function confirmAtIssuer(send: Send, failure: unknown): Promise<never> {
  if (!(failure instanceof ApiError) || failure.status !== 409) throw failure;
  const { items } = await send<Items<UserSession>>('GET', '/sessions');
  if (items.find(({ current }) => current)?.method !== 'sso') throw failure;
  const { pathname, search } = window.location;
  window.location.assign(`/admin/sso/confirm?redirect=${encodeURIComponent(pathname + search)}`);
  // The promise never settles, because the browser is leaving this page and must not show an error meanwhile.
  return new Promise<never>(() => undefined);
}
