import { post } from './post.js';

const CLIENT_ID = 'marketplace-admin';
const redirectUri = () => `${window.location.origin}/admin/login`;

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** Makes verifier and state (RFC 7636 §4.1), and stores both for this tab. Returns the authorization address. */
export async function startFlow(target: string): Promise<string> {
  const [code_verifier, state] = [random(), random()];
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code_verifier));
  const code_challenge = base64url(new Uint8Array(hash));
  const kept = { code_verifier, code_challenge, state, target };
  for (const [name, value] of Object.entries(kept)) sessionStorage.setItem(name, value);
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: redirectUri(),
    scope: 'user',
    state,
    code_challenge,
    code_challenge_method: 'S256',
  });
  return `/admin/oauth/authorize?${query}`;
}

let taken: string | undefined;

/**
 * Returns the authorization request in this page's address. If this tab started the flow, the address bar then shows the address that
 * restarts the flow, so that a reload works.
 */
export function takeRequest(): string {
  if (taken !== undefined) return taken;
  taken = window.location.search;
  const state = sessionStorage.getItem('state');
  const isOwn = state !== null && new URLSearchParams(taken).get('state') === state;
  if (isOwn) window.history.replaceState(null, '', againFor(keptTarget()));
  return taken;
}

/** Exchanges the authorization code for the session's cookies. */
export async function finishFlow(answer: URLSearchParams): Promise<void> {
  const [code_verifier, state] = ['code_verifier', 'state'].map((name) => sessionStorage.getItem(name));
  for (const name of ['code_verifier', 'code_challenge', 'state']) sessionStorage.removeItem(name);
  if (!code_verifier || !state || answer.get('state') !== state) {
    throw new Error('This sign-in was not started in this tab.');
  }
  const code = answer.get('code');
  if (code === null) throw new Error('Signing in was not completed.');
  await post('/admin/oauth/token', {
    grant_type: 'authorization_code',
    code,
    code_verifier,
    client_id: CLIENT_ID,
    redirect_uri: redirectUri(),
  });
}

/** Returns the target of the flow that was started in this tab. Only pages of this origin can write the target. */
export const keptTarget = (): string | null => sessionStorage.getItem('target');

/** Adds the target to a path that redirects there. */
export const withTarget = (path: string, target: string | null): string =>
  target === null || target === '/admin' ? path : `${path}?redirect=${encodeURIComponent(target)}`;

/** Returns the address that restarts the flow. */
export const againFor = (target: string | null): string => withTarget('/admin/login', target);
