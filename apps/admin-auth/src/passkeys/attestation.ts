import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ConfigError } from '@millwright/config';
import { AppError } from '@millwright/errors';
import type { AttestationConfig } from './attestation.config.js';

/** Authenticator models that may be enrolled. */
export interface AttestationPolicy {
  aaguids: readonly string[];
  roots: readonly X509Certificate[];
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Reads the models and root certificates; `undefined` when all models may be enrolled.
 * @throws ConfigError for PASSKEY_ROOTS_FILE when the file has no readable certificates.
 */
export async function loadAttestationPolicy(config: AttestationConfig): Promise<AttestationPolicy | undefined> {
  const { PASSKEY_AAGUIDS: aaguids, PASSKEY_ROOTS_FILE: file } = config;
  if (file === undefined) return undefined;
  const roots = await readFile(file, 'utf8')
    .then((text) => [...text.matchAll(PEM)].map(([pem]) => new X509Certificate(pem)))
    .catch(() => []);
  if (roots.length === 0)
    throw new ConfigError([
      { variable: 'PASSKEY_ROOTS_FILE', reason: 'must name a readable file with certificates in PEM form' },
    ]);
  return { aaguids, roots };
}

/** Maximum length of an attestation's certificate chain, the authenticator's certificate included. */
const MOST_CERTIFICATES = 5;

interface Statement {
  format: string;
  /** X.509 in DER, the authenticator's certificate first; empty for self attestation and for no attestation. */
  certificates: readonly Uint8Array[];
}

/**
 * Reads the attestation statement of a new passkey (WebAuthn §6.5). Refuses formats that were not requested before the library parses them,
 * because for some formats the library fetches certificate revocation lists.
 *
 * @throws AppError forbidden when the statement is malformed, has a format that was not requested, or has too many certificates
 */
export async function readStatement(attestationObject: string): Promise<Statement> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  try {
    const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
    const format = decoded.get('fmt');
    const certificates: unknown = decoded.get('attStmt').get('x5c') ?? [];
    const isKnown = format === 'none' || format === 'packed' || format === 'tpm';
    if (!isKnown || !Array.isArray(certificates) || certificates.length > MOST_CERTIFICATES)
      throw new Error(`attestation format ${format}`);
    return { format, certificates: certificates.filter((part) => part instanceof Uint8Array) };
  } catch (cause) {
    throw new AppError('forbidden', { cause });
  }
}

/**
 * Whether each certificate is currently valid and signed by the next certificate, which must be a CA; a root must have signed the last
 * certificate.
 */
function leadsToRoot(chain: readonly X509Certificate[], roots: readonly X509Certificate[]): boolean {
  const now = Date.now();
  const isValid = (certificate: X509Certificate) =>
    certificate.validFromDate.getTime() <= now && now <= certificate.validToDate.getTime();
  const isSignedBy = (certificate: X509Certificate, issuer: X509Certificate) =>
    issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  const last = chain.at(-1);
  if (!last || !chain.every(isValid)) return false;
  const isLinked = chain.every((certificate, n) => {
    const issuer = chain[n + 1];
    return issuer === undefined || isSignedBy(certificate, issuer);
  });
  const isRoot = (root: X509Certificate) => last.fingerprint256 === root.fingerprint256;
  return isLinked && roots.some((root) => isValid(root) && (isRoot(root) || isSignedBy(last, root)));
}

/**
 * Requires that the passkey's model is listed and attested by its manufacturer. The library has already verified that the statement covers
 * this passkey, so the first certificate confirms the AAGUID.
 *
 * @throws AppError passkey_not_allowed when the model is not listed or its manufacturer does not attest it
 */
export function requireListedModel(
  { aaguids, roots }: AttestationPolicy,
  aaguid: string,
  { certificates }: Statement,
): void {
  const refused = (cause?: unknown) => new AppError('passkey_not_allowed', { cause });
  if (!aaguids.includes(aaguid)) throw refused();
  let chain: X509Certificate[];
  try {
    chain = certificates.map((der) => new X509Certificate(der));
  } catch (error) {
    throw refused(error);
  }
  if (!leadsToRoot(chain, roots)) throw refused();
}
