import { queryOptions } from '@tanstack/react-query';
import { ApiError, createCall, createSend, type Send } from './client.js';
import { confirmAtIssuer } from './confirm-at-issuer.js';
import type { Me } from './admin-records.js';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';

function signIn(): void {
  const { pathname, search } = window.location;
  window.location.assign(`/admin/login?redirect=${encodeURIComponent(pathname + search)}`);
}

const stepUp = createStepUp(() => send);

/** Sends a request to admin-auth, which also forwards requests to the other services. */
export const call = createCall({
  fetch: (url, options) => window.fetch(url, options),
  signIn,
  stepUp,
});
export const send: Send = createSend(call);

/**
 * Requests a passkey proof unless the session has a recent proof. The function must be called before the browser submits a form, because
 * the form bypasses `call`.
 */
export async function requireRecentProof(): Promise<void> {
  const { fresh_until } = await send<Me>('GET', '/me');
  if (fresh_until === null) await stepUp();
}

export type Params = Readonly<Record<string, string | number | undefined>>;

/** Adds a query string to the path. Parameters without a value are left out. */
export function withQuery(path: string, params: Params): string {
  const entries = Object.entries(params).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(entries.map(([name, value]) => [name, String(value)]));
  return entries.length > 0 ? `${path}?${query}` : path;
}

/** A query for a path of admin-auth. The query key begins with the path's segments, so that the key of a list also matches the records below it. */
export function resource<Answer>(path: string, params: Params = {}) {
  return queryOptions({
    queryKey: [...path.split('/').filter(Boolean), params],
    queryFn: ({ signal }) => send<Answer>('GET', withQuery(path, params), undefined, signal),
  });
}

/** Runs one passkey proof at a time: concurrent calls that need a proof wait for the same proof. */
function createStepUp(send: () => Send): () => Promise<void> {
  let running: Promise<void> | undefined;
  async function prove(): Promise<void> {
    const { startAuthentication } = await import('@simplewebauthn/browser');
    const optionsJSON = await send()<PublicKeyCredentialRequestOptionsJSON>('POST', '/step-up/start').catch(
      (failure: unknown) => confirmAtIssuer(send(), failure),
    );
    const response = await startAuthentication({ optionsJSON }).catch(() => {
      throw new ApiError(0, 'not_proved', 'This needs your passkey, and none was used. Nothing was changed.');
    });
    await send()('POST', '/step-up/finish', { response });
  }
  return () => (running ??= prove().finally(() => (running = undefined)));
}
