import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { element, Refused, send, showError, textOf } from './page.js';
import { signal } from './signals.js';

/** A challenge lives five minutes; an idle page takes a new one before that. */
const RENEW_MS = 240_000;

interface Started {
  ceremony: string;
  options: PublicKeyCredentialRequestOptionsJSON;
}

const start = (email?: string) =>
  send<Started>('/admin/api/passkey/login/start', { authorization: location.search, ...(email && { email }) });

async function signIn({ ceremony, options }: Started, useBrowserAutofill: boolean): Promise<void> {
  const response = await startAuthentication({ optionsJSON: options, useBrowserAutofill });
  element('state').hidden = false;
  const { redirect_to } = await send<{ redirect_to: string }>('/admin/api/passkey/login/finish', {
    ceremony,
    response,
  }).catch((error: unknown) => {
    if (error instanceof Refused && error.code === 'passkey_removed') forget(response.id);
    throw error;
  });
  location.replace(redirect_to);
}

function fail(error: unknown): void {
  const isDismissed = error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError');
  showError(isDismissed ? 'No passkey was used. Try again, or register first.' : `${textOf(error)} Try again.`);
}

/** The passkey was removed from its account: the device need not offer it any more. */
function forget(credentialID: string): void {
  signal({ signalName: 'unknownCredential', rpID: location.hostname, credentialID });
}

const isAborted = (error: unknown) => error instanceof Error && error.name === 'AbortError';

/** Offers this device's passkeys in the email field. */
async function offerAutofill(): Promise<void> {
  if (!(await browserSupportsWebAuthnAutofill())) return;
  const renewal = setTimeout(() => void offerAutofill(), RENEW_MS);
  await signIn(await start(), true).catch((error: unknown) => {
    clearTimeout(renewal);
    if (!isAborted(error)) fail(error);
  });
}

element('sign-in').addEventListener('submit', (event) => {
  event.preventDefault();
  element('error').hidden = true;
  element('state').hidden = false;
  const email = (element('email') as HTMLInputElement).value.trim();
  start(email || undefined)
    .then((started) => signIn(started, false))
    .catch(fail);
});

if (browserSupportsWebAuthn())
  offerAutofill().catch(() => undefined); // the button works without it
else showError('This browser cannot use passkeys.');
