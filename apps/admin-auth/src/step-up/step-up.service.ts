import { recordSampledDenial } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import { encodeId, type Database } from '@millwright/db';
import type { SessionPrincipal } from '@millwright/http';
import { AppError } from '@millwright/errors';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { signedChallenge, verifyAssertion, type Assertion } from '../passkeys/assertion.js';
import type { CeremonyStore } from '../passkeys/ceremonies.store.js';
import { transportsOf, type PasskeyStore } from '../passkeys/passkeys.store.js';
import type { RelyingParty } from '../passkeys/relying-party.js';
import { noteProof } from '../sessions/sessions.store.js';

export interface StepUpOptions {
  db: Database;
  party: RelyingParty;
  passkeys: PasskeyStore;
  ceremonies: CeremonyStore;
}

interface SignedIn {
  principal: SessionPrincipal;
  caller: Caller;
}

/** Creates functions that renew the passkey proof of a session's user (WebAuthn §7.2). */
export function createStepUp({ db, party, passkeys, ceremonies }: StepUpOptions) {
  async function refuse({ principal, caller }: SignedIn, reason: string, cause?: unknown): Promise<never> {
    const resource = encodeId('ses', principal.session.id);
    await recordSampledDenial(
      db,
      { actor: caller.actor, action: 'session.step_up', resource, project: caller.project },
      reason,
    );
    throw new AppError('forbidden', { cause });
  }

  return {
    /** @throws AppError conflict when the account has no passkey. */
    async start({ principal }: Pick<SignedIn, 'principal'>): Promise<PublicKeyCredentialRequestOptionsJSON> {
      const own = await passkeys.list(principal.user.id);
      if (own.length === 0) throw new AppError('conflict');
      const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
      const options = await generateAuthenticationOptions({
        rpID: party.id,
        userVerification: 'required',
        allowCredentials: own.map((row) => ({
          id: row.credential_id,
          transports: transportsOf(row),
        })),
      });
      await ceremonies.begin('step_up', principal.session.id, {
        challenge: options.challenge,
        user_id: principal.user.id,
      });
      return options;
    },

    /**
     * Verifies the assertion, and consumes the challenge even if the verification fails. @throws AppError forbidden when the proof is
     * invalid
     */
    async finish(signedIn: SignedIn, assertion: Assertion): Promise<Date> {
      const { principal, caller } = signedIn;
      const challenge = signedChallenge(assertion) ?? '';
      const ceremony = await ceremonies.consumeStepUp(challenge, principal.session.id, principal.user.id);
      if (!ceremony) return refuse(signedIn, 'no such challenge');
      const passkey = await passkeys.find(assertion.id);
      if (!passkey || passkey.removed) return refuse(signedIn, 'passkey unknown');
      if (passkey.owner.id !== principal.user.id) return refuse(signedIn, 'passkey of another account');
      const proof = await verifyAssertion(party, ceremony.challenge, passkey, assertion);
      if ('fault' in proof) return refuse(signedIn, proof.fault, proof.cause);
      const freshUntil = await db.transaction(async (tx) => {
        const isUsed = await passkeys.noteUse(tx, passkey.id, proof.counter);
        return isUsed ? noteProof(tx, principal.session.id, caller.actor) : undefined;
      });
      return freshUntil ?? refuse(signedIn, 'signature counter went back');
    },
  };
}
export type StepUp = ReturnType<typeof createStepUp>;
