import { createHash } from 'node:crypto';

/** Returns the S256 challenge of a PKCE verifier (RFC 7636 §4.2). */
export const codeChallenge = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');
