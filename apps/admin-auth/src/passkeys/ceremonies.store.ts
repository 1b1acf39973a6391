import { hashSecret } from '@millwright/auth';
import { newId, type Database } from '@millwright/db';

export interface Ceremony {
  challenge: string;
  user_id: string | null;
  setup_token_id: string | null;
  email: string | null;
  state: string | null;
  code_challenge: string | null;
}

export type CeremonyKind = 'registration' | 'authentication' | 'step_up';

const COLUMNS = 'challenge, user_id, setup_token_id, email, state, code_challenge';

/** Lifetime of a challenge: five minutes. */
const LIFE_MS = 300_000;

/** Creates functions for open ceremonies. Ceremonies are stored in the database, so that any replica can finish them. */
export function createCeremonyStore(db: Database) {
  return {
    async begin(
      kind: CeremonyKind,
      browser: string,
      ceremony: Partial<Ceremony> & { challenge: string },
    ): Promise<string> {
      const id = newId();
      const browser_hash = new Uint8Array(hashSecret(browser));
      await db.prisma.webAuthnCeremony.create({
        data: { ...ceremony, id, kind, browser_hash, expires_at: new Date(Date.now() + LIFE_MS) },
      });
      return id;
    },

    /**
     * Marks an unexpired challenge of this browser as used, even if the ceremony fails later. Returns `undefined` when there is no such
     * challenge.
     */
    async consume(kind: CeremonyKind, id: string, browser: string): Promise<Ceremony | undefined> {
      const [row] = await db.prepared<Ceremony>(
        'consume-ceremony',
        `UPDATE webauthn_ceremonies SET used_at = now()
          WHERE id = $1 AND kind = $2 AND browser_hash = $3 AND used_at IS NULL AND expires_at > now()
         RETURNING ${COLUMNS}`,
        [id, kind, hashSecret(browser)],
      );
      return row;
    },

    /**
     * Marks the challenge of a step-up that this session started as used, even if the proof fails later. Returns `undefined` when there is
     * no such challenge.
     */
    async consumeStepUp(challenge: string, sessionId: string, userId: string): Promise<Ceremony | undefined> {
      const [row] = await db.prepared<Ceremony>(
        'consume-step-up',
        `UPDATE webauthn_ceremonies SET used_at = now()
          WHERE challenge = $1 AND kind = 'step_up' AND browser_hash = $2 AND user_id = $3 AND used_at IS NULL AND expires_at > now()
         RETURNING ${COLUMNS}`,
        [challenge, hashSecret(sessionId), userId],
      );
      return row;
    },
  };
}
export type CeremonyStore = ReturnType<typeof createCeremonyStore>;
