import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import type { FoundPasskey } from './passkeys.store.js';
import type { RelyingParty } from './relying-party.js';

/** A browser's answer to a challenge; the library parses the other fields. */
export const Assertion = z.looseObject({ id: z.string().max(2_000) });
export type Assertion = z.output<typeof Assertion>;

export type Verified = { counter: number } | { fault: string; cause?: unknown };

/**
 * A key without an owner, for assertions by unknown passkeys. Their verification with this key takes as long as that of a known passkey.
 */
export const NOBODY: Pick<FoundPasskey, 'credential' | 'owner'> = {
  credential: { id: 'nobody', publicKey: newPublicKey(), counter: 0 },
  owner: {
    id: '',
    name: '',
    email: '',
    project: '',
    status: 'inactive',
    webauthn_user_id: new Uint8Array(randomBytes(32)),
  },
};

/** Returns a new public key as a COSE key for ES256 on P-256 (RFC 9053 §7.1.1). */
function newPublicKey(): Uint8Array<ArrayBuffer> {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const part = (label: number, value: string) => [label, 0x58, 0x20, ...Buffer.from(value, 'base64url')];
  return new Uint8Array([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, ...part(0x21, x), ...part(0x22, y)]);
}

/**
 * Whether the passkey's owner signed the challenge, in person, for this console (WebAuthn §7.2, steps 6 to 21). The counter is compared by
 * the SQL update that stores it, because only this update can distinguish two concurrent uses.
 *
 * @param options `needsHandle`: the browser received no list of credentials, so the answer must name the account (step 6)
 */
export async function verifyAssertion(
  party: RelyingParty,
  challenge: string,
  { credential, owner }: Pick<FoundPasskey, 'credential' | 'owner'>,
  assertion: Assertion,
  { needsHandle = false }: { needsHandle?: boolean } = {},
): Promise<Verified> {
  const answer = assertion as unknown as AuthenticationResponseJSON;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
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
    if (!verified) return { fault: 'passkey not verified' };
    return userHandle || !needsHandle ? { counter: authenticationInfo.newCounter } : { fault: 'account not named' };
  } catch (cause) {
    return { fault: 'passkey not verified', cause };
  }
}

/** Returns the challenge inside an assertion, which identifies the assertion's ceremony. */
export function signedChallenge(assertion: Assertion): string | undefined {
  const { clientDataJSON }: { clientDataJSON?: unknown } = assertion['response'] ?? {};
  if (typeof clientDataJSON !== 'string') return undefined;
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    const { challenge }: { challenge?: unknown } = data ?? {};
    return typeof challenge === 'string' && /^[\w-]{1,200}$/.test(challenge) ? challenge : undefined;
  } catch {
    return undefined;
  }
}
