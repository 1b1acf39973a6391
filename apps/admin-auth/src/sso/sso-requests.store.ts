import { createHmac } from 'node:crypto';
import { hashSecret, newOneTimeToken } from '@millwright/auth';
import { newId, type Database } from '@millwright/db';
import type { Flow } from './issuer-client.js';

const LIFE_MS = 600_000;

export interface NewSsoRequest {
  issuer: string;
  purpose: 'sign_in' | 'step_up';
  sessionId: string | null;
  target: string;
}

export interface ConsumedRequest {
  issuer: string;
  purpose: 'sign_in' | 'step_up';
  session_id: string | null;
  target: string;
  created_at: Date;
}

/** Derives the secrets of a flow from its state and the browser's cookie. The database stores neither of these two. */
function derive(browser: string, state: string, isStepUp: boolean): Flow {
  const secret = (use: string) => createHmac('sha256', browser).update(`${use}.${state}`).digest('base64url');
  return { state, nonce: secret('nonce'), codeVerifier: secret('code_verifier'), isStepUp };
}

/** Creates functions for open requests to issuers. Requests are stored in the database, so that any replica can handle the answer. */
export function createSsoRequestStore(db: Database) {
  return {
    async begin(browser: string, { issuer, purpose, sessionId, target }: NewSsoRequest): Promise<Flow> {
      const state = newOneTimeToken();
      await db.prisma.ssoRequest.create({
        data: {
          id: newId(),
          state_hash: new Uint8Array(hashSecret(state)),
          browser_hash: new Uint8Array(hashSecret(browser)),
          ...{ issuer, purpose, target, session_id: sessionId },
          expires_at: new Date(Date.now() + LIFE_MS),
        },
      });
      return derive(browser, state, purpose === 'step_up');
    },

    /**
     * Marks an unexpired request of this browser as used, even if the sign-in fails later. Returns `undefined` when there is no such
     * request.
     */
    async consume(browser: string, state: string): Promise<{ request: ConsumedRequest; flow: Flow } | undefined> {
      const [request] = await db.prepared<ConsumedRequest>(
        'consume-sso-request',
        `UPDATE sso_requests SET used_at = now()
          WHERE state_hash = $1 AND browser_hash = $2 AND used_at IS NULL AND expires_at > now()
         RETURNING issuer, purpose, session_id, target, created_at`,
        [hashSecret(state), hashSecret(browser)],
      );
      return request && { request, flow: derive(browser, state, request.purpose === 'step_up') };
    },
  };
}
export type SsoRequestStore = ReturnType<typeof createSsoRequestStore>;
