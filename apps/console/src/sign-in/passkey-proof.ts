import { startAuthentication, type PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { ApiError } from '../api/client.js';
import { tell } from '../api/signals.js';
import { failureText } from '../ui/failure-text.js';
import { post } from './post.js';

interface Started {
  ceremony: string;
  options: PublicKeyCredentialRequestOptionsJSON;
}

/** Begins the ceremony for the authorization request in this page's address. */
export const beginProof = (email?: string) =>
  post<Started>('/admin/api/passkey/login/start', {
    authorization: window.location.search,
    ...(email !== undefined && { email }),
  });

/** Proves a passkey; gives the address to go on at. `onProof` is called when the person has chosen one. */
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

/** The passkey was removed from its account: the device need not offer it any more. */
function forget(credentialID: string): void {
  tell([{ signalName: 'unknownCredential', rpID: window.location.hostname, credentialID }]);
}

/** Why a proof failed, for the person who tried. */
export function wordsFor(error: unknown): string {
  if (error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)) return 'No passkey was used.';
  if (error instanceof ApiError && error.code === 'unauthorized') return 'This passkey was not accepted.';
  return failureText(error);
}

/** Another ceremony took this one's place. */
export const isAborted = (error: unknown) => error instanceof Error && error.name === 'AbortError';
