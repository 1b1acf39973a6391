import { startAuthentication, type PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { ApiError } from '../api/client.js';
import { signalAuthenticators } from '../api/passkey-signals.js';
import { failureText } from '../ui/failure-text.js';
import { post } from './post.js';
import { takeRequest } from './sign-in-flow.js';

interface Started {
  ceremony: string;
  options: PublicKeyCredentialRequestOptionsJSON;
}

/** Starts the WebAuthn ceremony for the authorization request in this page's address. */
export const beginProof = (email?: string) =>
  post<Started>('/admin/api/passkey/login/start', {
    authorization: takeRequest(),
    ...(email !== undefined && { email }),
  });

/** Proves a passkey, and returns the address to open next. `onProof` is called after the user chose a passkey. */
export async function finishProof(
  { ceremony, options }: Started,
  { useBrowserAutofill = false, onProof }: { useBrowserAutofill?: boolean; onProof?: () => void } = {},
): Promise<string> {
  const response = await startAuthentication({ optionsJSON: options, useBrowserAutofill });
  onProof?.();
  const { redirect_to } = await post<{ redirect_to: string }>('/admin/api/passkey/login/finish', {
    ceremony,
    response,
  }).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'passkey_removed') forget(response.id);
    throw error;
  });
  return redirect_to;
}

/** Reports to the device that the account no longer has this passkey. */
function forget(credentialID: string): void {
  signalAuthenticators([{ signalName: 'unknownCredential', rpID: window.location.hostname, credentialID }]);
}

/** Returns the message for a failed proof. */
export function wordsFor(error: unknown): string {
  if (error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)) return 'No passkey was used.';
  if (error instanceof ApiError && error.code === 'unauthorized') return 'This passkey was not accepted.';
  return failureText(error);
}

/** Whether another ceremony replaced this ceremony. */
export const isAborted = (error: unknown) => error instanceof Error && error.name === 'AbortError';
