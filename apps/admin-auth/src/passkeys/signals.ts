import { z } from 'zod';
import type { PasskeyOwner, PasskeyRow } from './passkeys.store.js';
import type { RelyingParty } from './relying-party.js';

/** Messages for the browser's authenticators (WebAuthn Signal API), in the form that `sendSignal` of @simplewebauthn/browser takes. */
export const Signal = z.discriminatedUnion('signalName', [
  z.object({
    signalName: z.literal('allAcceptedCredentials'),
    rpID: z.string(),
    userID: z.string(),
    allAcceptedCredentialIDs: z.array(z.string()),
  }),
  z.object({
    signalName: z.literal('currentUserDetails'),
    rpID: z.string(),
    userID: z.string(),
    userName: z.string(),
    userDisplayName: z.string(),
  }),
]);
export type Signal = z.output<typeof Signal>;

const handleOf = (owner: Pick<PasskeyOwner, 'webauthn_user_id'>) =>
  Buffer.from(owner.webauthn_user_id).toString('base64url');

/** Builds the WebAuthn signal after a passkey was added or removed. */
export function acceptedCredentials(
  party: RelyingParty,
  owner: Pick<PasskeyOwner, 'webauthn_user_id'>,
  passkeys: readonly Pick<PasskeyRow, 'credential_id'>[],
): Signal {
  const allAcceptedCredentialIDs = passkeys.map((passkey) => passkey.credential_id);
  return { signalName: 'allAcceptedCredentials', rpID: party.id, userID: handleOf(owner), allAcceptedCredentialIDs };
}

/** Builds the WebAuthn signal after the account's name changed. */
export function userDetails(
  party: RelyingParty,
  owner: Pick<PasskeyOwner, 'webauthn_user_id' | 'email' | 'name'>,
): Signal {
  const userID = handleOf(owner);
  return {
    signalName: 'currentUserDetails',
    rpID: party.id,
    userID,
    userName: owner.email,
    userDisplayName: owner.name,
  };
}
