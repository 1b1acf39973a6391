import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { invalidField } from '@millwright/errors';

/**
 * Converts a device's P-256 public key from PEM (SubjectPublicKeyInfo) or JWK to DER.
 *
 * @throws AppError validation_error for the field `public_key` when the key is not valid.
 */
export function parseDeviceKey(text: string | Record<string, unknown>): Uint8Array<ArrayBuffer> {
  try {
    const key = typeof text === 'string' ? pem(text) : createPublicKey({ key: withoutPrivate(text), format: 'jwk' });
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1')
      return new Uint8Array(key.export({ type: 'spki', format: 'der' }));
  } catch {
    // Ignores this error: every invalid key leads to the same error below.
  }
  throw invalidField('public_key', 'must be a P-256 public key, in PEM or as a JWK');
}

function pem(text: string) {
  if (!/^\s*-----BEGIN PUBLIC KEY-----/.test(text)) throw new Error('not a public key');
  return createPublicKey(text);
}

function withoutPrivate(jwk: Record<string, unknown>): JsonWebKey {
  if ('d' in jwk) throw new Error('a private key');
  return jwk;
}

/**
 * Whether the device signed the message. The signature is ECDSA with SHA-256, in DER or as the 64 bytes of r and s (IEEE P1363), encoded as
 * base64url or base64.
 */
export function isSignedBy(publicKey: Uint8Array, message: string, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64url');
  const key = createPublicKey({ key: Buffer.from(publicKey), type: 'spki', format: 'der' });
  const dsaEncoding = bytes.length === 64 ? 'ieee-p1363' : 'der';
  return verify('sha256', Buffer.from(message), { key, dsaEncoding }, bytes);
}
