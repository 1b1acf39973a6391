import { recordDenial } from '@millwright/audit';
import { encodeId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import {
  generateAuthenticationOptions,
  type AuthenticatorTransport,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { challengeOf, verifyAssertion, type Assertion } from '../passkeys/assertion.js';
import type { CeremonyStore } from '../passkeys/ceremonies.store.js';
import type { PasskeyStore } from '../passkeys/passkeys.store.js';
import type { RelyingParty } from '../passkeys/relying-party.js';
import type { SignedIn } from '../protection/signed-in.js';
import { noteProof } from '../sessions/sessions.store.js';

export interface StepUpOptions {
  db: Database;
  party: RelyingParty;
  passkeys: PasskeyStore;
  ceremonies: CeremonyStore;
}

/** Proves again, within a session, that its user is the one at the browser (WebAuthn §7.2). */
export function createStepUp({ db, party, passkeys, ceremonies }: StepUpOptions) {
  async function refuse({ actor, context, project }: SignedIn, reason: string, cause?: unknown): Promise<never> {
    const resource = encodeId('ses', context.sessionId);
    await recordDenial(db, { actor, action: 'session.step_up', resource, project }, reason);
    throw new AppError('forbidden', { cause });
  }

  return {
    /** @throws AppError conflict for an account without passkeys. */
    async start({ user, context }: SignedIn): Promise<PublicKeyCredentialRequestOptionsJSON> {
      const own = await passkeys.list(user.id);
      if (own.length === 0) throw new AppError('conflict');
      const options = await generateAuthenticationOptions({
        rpID: party.id,
        userVerification: 'required',
        allowCredentials: own.map((row) => ({
          id: row.credential_id,
          transports: row.transports as AuthenticatorTransport[],
        })),
      });
      await ceremonies.begin('step_up', context.sessionId, { challenge: options.challenge, user_id: user.id });
      return options;
    },

    /** Uses the challenge up, whatever comes of it. @throws AppError forbidden */
    async finish(signedIn: SignedIn, assertion: Assertion): Promise<Date> {
      const { user, context, actor } = signedIn;
      const challenge = challengeOf(assertion) ?? '';
      const ceremony = await ceremonies.consumeStepUp(challenge, context.sessionId, user.id);
      if (!ceremony) return refuse(signedIn, 'no such challenge');
      const passkey = await passkeys.find(assertion.id);
      if (!passkey || passkey.removed) return refuse(signedIn, 'passkey unknown');
      if (passkey.owner.id !== user.id) return refuse(signedIn, 'passkey of another account');
      const proof = await verifyAssertion(party, ceremony.challenge, passkey, assertion);
      if ('fault' in proof) return refuse(signedIn, proof.fault, proof.cause);
      const freshUntil = await db.transaction(async (tx) => {
        const isUsed = await passkeys.noteUse(tx, passkey.id, proof.counter);
        return isUsed ? noteProof(tx, context.sessionId, actor) : undefined;
      });
      return freshUntil ?? refuse(signedIn, 'signature counter went back');
    },
  };
}
export type StepUp = ReturnType<typeof createStepUp>;
