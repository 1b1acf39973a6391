import { verifyAuthenticationResponse, type AuthenticationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import type { FoundPasskey } from './passkeys.store.js';
import type { RelyingParty } from './relying-party.js';

/** A browser's answer to a challenge; the library reads the rest of it. */
export const Assertion = z.looseObject({ id: z.string().max(2_000) });
export type Assertion = z.output<typeof Assertion>;

export type Verified = { counter: number } | { fault: string; cause?: unknown };

/**
 * Whether the passkey's owner signed the challenge, in person, for this console (WebAuthn §7.2, steps 6 to 21). The counter is
 * compared where it is stored, by the update that raises it: two uses at once are told apart there only.
 */
export async function verifyAssertion(
  party: RelyingParty,
  challenge: string,
  { credential, owner }: FoundPasskey,
  assertion: Assertion,
): Promise<Verified> {
  const answer = assertion as unknown as AuthenticationResponseJSON;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { ...credential, counter: 0 },
      requireUserVerification: true,
    });
    const { userHandle } = answer.response;
    const isOwner = !userHandle || userHandle === Buffer.from(owner.webauthn_user_id).toString('base64url');
    if (!isOwner) return { fault: 'passkey of another account' };
    return verified ? { counter: authenticationInfo.newCounter } : { fault: 'passkey not verified' };
  } catch (cause) {
    return { fault: 'passkey not verified', cause };
  }
}

/** The challenge that an answer says it answers: what its ceremony is found by. */
export function challengeOf(assertion: Assertion): string | undefined {
  const { response } = assertion as { response?: { clientDataJSON?: unknown } };
  if (typeof response?.clientDataJSON !== 'string') return undefined;
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'));
    const { challenge } = data as { challenge?: unknown };
    return typeof challenge === 'string' && /^[\w-]{1,200}$/.test(challenge) ? challenge : undefined;
  } catch {
    return undefined;
  }
}
