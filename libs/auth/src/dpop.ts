import { createHash } from 'node:crypto';
import { AppError } from '@millwright/errors';
import type { Request } from 'express';
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from 'jose';
import type { TokenClaims } from './tokens.js';

/** Algorithms of accepted proofs. */
export const DPOP_ALGORITHMS = ['ES256', 'Ed25519', 'EdDSA'];

const MAX_LENGTH = 4_096;
const MAX_JTI_LENGTH = 200;
/** Maximum age of a proof, in seconds. */
const MAX_AGE_S = 60;
/** Tolerated clock difference, in seconds. */
const CLOCK_SKEW_S = 30;

/** Error for a proof that is missing or not valid. `reason` is a constant text for the developer of the client. */
export class ProofRefused extends Error {
  override readonly name = 'ProofRefused';
  readonly reason: string;
  readonly code: 'invalid_dpop_proof' | 'use_dpop_nonce';
  /** Headers of the answer, with the nonce for the next proof. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(reason: string, { nonce, ...options }: ErrorOptions & { nonce?: string } = {}) {
    super(reason, options);
    this.reason = reason;
    this.code = nonce === undefined ? 'invalid_dpop_proof' : 'use_dpop_nonce';
    this.headers = nonce === undefined ? {} : { 'DPoP-Nonce': nonce };
  }
}

/** Nonces that proofs have to contain, so that no proof can be made in advance (RFC 9449 §8). */
export interface ProofNonces {
  issue: () => string;
  accepts: (nonce: unknown) => boolean;
}

export interface ProofOptions {
  /** The public address of this service. Proofs name this address, even when a gateway uses another address. */
  publicUrl: string;
  /**
   * Marks the proof `jti` of a key as used for some seconds, over all processes. Returns `false` when the proof was
   * used before.
   */
  useOnce: (key: string, jti: string, seconds: number) => Promise<boolean>;
  /** Nonces that proofs have to contain; undefined when proofs need no nonce. */
  nonces?: ProofNonces | undefined;
  /** Returns the time in Unix milliseconds. */
  now?: () => number;
}

/**
 * Verifies the proof in a request's header `DPoP` (RFC 9449 §4.3). The proof must be recent and unused, and must be
 * made for this request. At a resource, it must also be made for the access token. It is marked as used only after all
 * other checks, so that an invalid proof stores nothing.
 *
 * @returns the RFC 7638 thumbprint of the client's key
 */
export function createProofVerifier({ publicUrl, useOnce, nonces, now = Date.now }: ProofOptions) {
  return async (request: Request, accessToken?: string): Promise<string> => {
    const proof = request.headers['dpop'];
    // A repeated header arrives as one text with commas. It is refused because such a text is not a JWT.
    if (typeof proof !== 'string' || proof === '') throw new ProofRefused('the proof is missing');
    const { payload, key } = await readProof(proof, now());
    const { jti, htm, htu, iat = NaN, ath } = payload;
    if (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI_LENGTH)
      throw new ProofRefused('the proof has no usable jti');
    if (htm !== request.method) throw new ProofRefused('the proof is for another method');
    if (addressOf(htu) === undefined || addressOf(htu) !== addressOf(request.originalUrl, publicUrl))
      throw new ProofRefused('the proof is for another address');
    if (nonces && !nonces.accepts(payload['nonce']))
      throw new ProofRefused('the proof needs a nonce of this server', { nonce: nonces.issue() });
    const seconds = now() / 1_000;
    const ends = iat + MAX_AGE_S + CLOCK_SKEW_S;
    if (!(ends >= seconds && iat <= seconds + CLOCK_SKEW_S))
      throw new ProofRefused('the proof is too old or too young');
    if (accessToken !== undefined && ath !== digest(accessToken))
      throw new ProofRefused('the proof is for another access token');
    if (!(await useOnce(key, jti, Math.ceil(ends - seconds) + 1))) throw new ProofRefused('the proof was used before');
    return key;
  };
}
export type VerifyProof = ReturnType<typeof createProofVerifier>;

/** Returns the claims of a signed proof and the thumbprint of the key in its header. @throws ProofRefused when the proof is not valid */
async function readProof(proof: string, now: number) {
  try {
    if (proof.length > MAX_LENGTH) throw new Error('too long');
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      typ: 'dpop+jwt',
      algorithms: DPOP_ALGORITHMS,
      currentDate: new Date(now),
      clockTolerance: CLOCK_SKEW_S,
    });
    if (!protectedHeader.jwk) throw new Error('no key');
    return { payload, key: await calculateJwkThumbprint(protectedHeader.jwk) };
  } catch (cause) {
    throw new ProofRefused('the proof is not valid', { cause });
  }
}

/** Returns an address without query and fragment, in its normal form (RFC 9449 §4.3, step 9). */
function addressOf(text: unknown, base?: string): string | undefined {
  if (typeof text !== 'string' || !URL.canParse(text, base)) return undefined;
  const { origin, pathname } = new URL(text, base);
  return `${origin}${pathname}`;
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');

/** The challenge for clients that prove the possession of their key (RFC 9449 §7.1). */
export const DPOP_CHALLENGE = `DPoP algs="${DPOP_ALGORITHMS.join(' ')}"`;

const refused = (error: ProofRefused['code'] | 'invalid_token', reason: string, cause?: ProofRefused) =>
  new AppError('unauthorized', {
    cause,
    headers: {
      ...cause?.headers,
      'WWW-Authenticate': `${DPOP_CHALLENGE}, error="${error}", error_description="${reason}"`,
    },
  });

/** Whether a request sends its token with the scheme `DPoP`. */
export const usesDpop = (request: Pick<Request, 'headers'>): boolean =>
  /^dpop /i.test(request.headers.authorization ?? '');

/** Requires that the sender of a request may use the valid access token in it. @throws AppError unauthorized when the sender may not */
export type RequireHolder = (claims: TokenClaims, token: string, request: Request) => Promise<void>;

/**
 * Requires that a bound access token comes with a proof by the key to which it is bound, and that only bound tokens use
 * the scheme `DPoP` (RFC 9449 §7). With `boundOnly`, unbound tokens are refused.
 */
export const createHolderCheck =
  (verifyProof: VerifyProof, { boundOnly }: { boundOnly: boolean }): RequireHolder =>
  async ({ cnf }, token, request) => {
    if (!cnf && !usesDpop(request) && !boundOnly) return;
    if (!cnf) throw refused('invalid_token', 'the token is not bound to a key');
    if (!usesDpop(request)) throw refused('invalid_token', 'the token is bound to a key');
    const key = await verifyProof(request, token).catch((error: unknown) => {
      throw error instanceof ProofRefused ? refused(error.code, error.reason, error) : error;
    });
    if (key !== cnf.jkt) throw refused('invalid_token', 'the token is bound to another key');
  };
