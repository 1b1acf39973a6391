import type { X509Certificate } from 'node:crypto';
import 'reflect-metadata'; // required by @peculiar/x509
import * as x509 from '@peculiar/x509';
import { KEY_ALGORITHM } from './key-algorithm.js';

const YEAR_MS = 365 * 86_400_000;
/**
 * Milliseconds between the start of a certificate's validity and its issue. The start is earlier, because the clock of a device may be
 * slow.
 */
const SKEW_MS = 300_000;
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';

export interface DeviceCertificate {
  /** X.509 in PEM. */
  pem: string;
  /** Serial number in hexadecimal. */
  serial: string;
  expiresAt: Date;
}

export interface IssuingAuthority {
  certificate: X509Certificate;
  signingKey: CryptoKey;
}

/** Issues a certificate, as described at `DeviceCa.issue`. */
export async function issueCertificate(
  { certificate: issuer, signingKey }: IssuingAuthority,
  device: string,
  publicKey: Uint8Array<ArrayBuffer>,
): Promise<DeviceCertificate> {
  const authority = new x509.X509Certificate(issuer.raw);
  const key = await crypto.subtle.importKey('spki', publicKey, KEY_ALGORITHM, true, ['verify']);
  const notAfter = new Date(Math.min(Date.now() + YEAR_MS, authority.notAfter.getTime()));
  const serialNumber = newSerial();
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber,
    issuer: authority.subject,
    subject: [{ CN: [device] }],
    notBefore: new Date(Date.now() - SKEW_MS),
    notAfter,
    signingKey,
    signingAlgorithm: KEY_ALGORITHM,
    publicKey: key,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([CLIENT_AUTH]),
      await x509.SubjectKeyIdentifierExtension.create(key),
      await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey),
    ],
  });
  return { pem: certificate.toString('pem'), serial: serialNumber, expiresAt: certificate.notAfter };
}

/** Returns a serial number of 16 random bytes. It is positive and has no leading zero byte (RFC 5280 §4.1.2.2). */
function newSerial(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return Buffer.from(bytes).toString('hex');
}
