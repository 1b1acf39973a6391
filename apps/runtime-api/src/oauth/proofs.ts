import { createHash } from 'node:crypto';
import { createProofVerifier, ProofRefused, type VerifyProof } from '@millwright/auth/dpop';
import { AppError } from '@millwright/errors';
import { OAuthError } from '@millwright/http/protocol';
import type { RateLimiter } from '@millwright/rate-limit';
import type { Request } from 'express';

/** Limit of the proofs of one key, of which each is remembered until it is too old. */
const PROOFS = { name: 'dpop-proofs', limit: 6_000 } as const;

/** Verifies proofs that a client holds its key (RFC 9449). Used proofs and their number are counted over all processes. */
export const createRuntimeProofVerifier = (
  runtimeUrl: string,
  limiter: Pick<RateLimiter, 'consume' | 'useOnce'>,
): VerifyProof =>
  createProofVerifier({
    publicUrl: runtimeUrl,
    async useOnce(key, jti, seconds) {
      if (!(await limiter.consume(PROOFS, key)).admitted) throw new AppError('rate_limited', { retryAfter: 60 });
      const id = createHash('sha256')
        .update(JSON.stringify([key, jti]))
        .digest('base64url');
      return limiter.useOnce(`dpop:${id}`, seconds);
    },
  });

/**
 * The thumbprint of the key that a request to the token endpoint proves; undefined without a proof (RFC 9449 §5).
 *
 * @throws OAuthError invalid_dpop_proof
 */
export async function readProvenKey(verify: VerifyProof, request: Request): Promise<string | undefined> {
  if (request.headers['dpop'] === undefined) return undefined;
  return verify(request).catch((error: unknown) => {
    throw error instanceof ProofRefused ? new OAuthError('invalid_dpop_proof', error.reason) : error;
  });
}
