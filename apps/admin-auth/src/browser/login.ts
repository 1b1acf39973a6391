import { element, send, showError, textOf } from './page.js';

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** Verifier, challenge and state stay in this tab (RFC 7636 §4.1). */
async function startFlow(): Promise<void> {
  const [verifier, state] = [random(), random()];
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const challenge = base64url(new Uint8Array(hash));
  sessionStorage.setItem('code_verifier', verifier);
  sessionStorage.setItem('code_challenge', challenge);
  sessionStorage.setItem('state', state);
  sessionStorage.setItem('target', element('state').dataset['target'] ?? '/admin');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'marketplace-admin',
    redirect_uri: `${location.origin}/admin/login`,
    scope: 'user',
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  location.replace(`/admin/oauth/authorize?${query}`);
}

async function finishFlow(answer: URLSearchParams): Promise<void> {
  const [verifier, state, target] = ['code_verifier', 'state', 'target'].map((name) => sessionStorage.getItem(name));
  for (const name of ['code_verifier', 'code_challenge', 'state', 'target']) sessionStorage.removeItem(name);
  history.replaceState(null, '', '/admin/login');
  if (!verifier || !state || answer.get('state') !== state)
    throw new Error('This sign-in was not started in this tab.');
  const code = answer.get('code');
  if (code === null) throw new Error('Signing in was not completed.');
  await send('/admin/oauth/token', {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    client_id: 'marketplace-admin',
    redirect_uri: `${location.origin}/admin/login`,
  });
  location.replace(target ?? '/admin');
}

const answer = new URLSearchParams(location.search);
const run = answer.has('code') || answer.has('error') ? finishFlow(answer) : startFlow();
run.catch((error: unknown) => showError(textOf(error)));
