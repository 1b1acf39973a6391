import { createHash } from 'node:crypto';
import { createProofVerifier, ProofRefused, type ProofNonces, type VerifyProof } from '@millwright/auth/dpop';
import { AppError } from '@millwright/errors';
import { OAuthError } from '@millwright/http/protocol';
import type { RateLimiter } from '@millwright/rate-limit';
import { SecretUnreadable, type SecretBox } from '@millwright/secrets';
import type { Request } from 'express';

/** Limit of the proofs of one key. Each proof is stored until it is too old to be accepted. */
const PROOFS = { name: 'dpop-proofs', limit: 6_000 } as const;

/** Time for which a nonce is valid, in milliseconds. */
const NONCE_MS = 5 * 60_000;
/** Tolerated difference between the clocks of processes, in milliseconds. */
const CLOCK_SKEW_MS = 30_000;
const NONCE_PLACE = 'dpop-nonce';

/**
 * Issues and checks nonces. A nonce is the encrypted time at which it was issued, so every process accepts the nonces of the other
 * processes, and no nonce is stored.
 */
export function createProofNonces(box: SecretBox, now = Date.now): ProofNonces {
  return {
    issue: () => box.seal(String(now()), NONCE_PLACE),
    accepts(nonce) {
      if (typeof nonce !== 'string') return false;
      try {
        const age = now() - Number(box.open(nonce, NONCE_PLACE));
        return age < NONCE_MS && age > -CLOCK_SKEW_MS;
      } catch (error) {
        if (error instanceof SecretUnreadable) return false;
        throw error;
      }
    },
  };
}

/**
 * Verifies proofs that a client holds its key (RFC 9449). The used proofs, and the number of proofs of each key, are stored for all
 * processes.
 */
export const createRuntimeProofVerifier = (
  runtimeUrl: string,
  limiter: Pick<RateLimiter, 'consume' | 'useOnce'>,
  nonces: ProofNonces | undefined,
): VerifyProof =>
  createProofVerifier({
    publicUrl: runtimeUrl,
    nonces,
    async useOnce(key, jti, seconds) {
      if (!(await limiter.consume(PROOFS, key)).admitted) throw new AppError('rate_limited', { retryAfter: 60 });
      const id = createHash('sha256')
        .update(JSON.stringify([key, jti]))
        .digest('base64url');
      return limiter.useOnce(`dpop:${id}`, seconds);
    },
  });

/**
 * The thumbprint of the key that a request to an OAuth endpoint proves; undefined without a proof (RFC 9449 §5).
 *
 * @throws OAuthError invalid_dpop_proof for an invalid proof; use_dpop_nonce for a proof without a valid nonce when nonces are required
 */
export async function readProvenKey(verify: VerifyProof, request: Request): Promise<string | undefined> {
  if (request.headers['dpop'] === undefined) return undefined;
  return verify(request).catch((error: unknown) => {
    throw error instanceof ProofRefused ? new OAuthError(error.code, error.reason, false, error.headers) : error;
  });
}
