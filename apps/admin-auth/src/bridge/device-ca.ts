import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import 'reflect-metadata'; // required by @peculiar/x509
import * as x509 from '@peculiar/x509';
import { ConfigError } from '@millwright/config';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const YEAR_MS = 365 * 86_400_000;
/** Milliseconds before the present time from which a certificate is valid, for devices whose clock is slow. */
const SKEW_MS = 300_000;
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';

export interface DeviceCertificate {
  /** X.509 in PEM. */
  pem: string;
  /** Serial number in hexadecimal. */
  serial: string;
  expiresAt: Date;
}

/** Signs certificates of devices with the installation's own authority. */
export interface DeviceCa {
  /** Issues a certificate for a device's id and its P-256 public key (SubjectPublicKeyInfo, DER), for at most a year. */
  issue: (device: string, publicKey: Uint8Array<ArrayBuffer>) => Promise<DeviceCertificate>;
}

/** Reads the authority's key (P-256, PKCS #8 PEM) and certificate (PEM). @throws ConfigError naming the variable at fault. */
export async function loadDeviceCa(keyFile: string, certificateFile: string): Promise<DeviceCa> {
  const certificate = await read('DEVICE_CA_CERT_FILE', 'a certificate of an authority in PEM form', async () => {
    const found = new x509.X509Certificate(await readFile(certificateFile, 'utf8'));
    return found.getExtension(x509.BasicConstraintsExtension)?.ca === true ? found : undefined;
  });
  const key = await read('DEVICE_CA_KEY_FILE', 'the P-256 private key of the certificate in PEM form', async () => {
    const found = createPrivateKey(await readFile(keyFile, 'utf8'));
    const der = new Uint8Array(found.export({ type: 'pkcs8', format: 'der' }));
    const imported = await crypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign']);
    const proof = new TextEncoder().encode('proof');
    const signature = await crypto.subtle.sign(ALGORITHM, imported, proof);
    const theirs = await certificate.publicKey.export(ALGORITHM, ['verify']);
    return (await crypto.subtle.verify(ALGORITHM, theirs, signature, proof)) ? imported : undefined;
  });
  if (certificate.notAfter <= new Date())
    throw new ConfigError([{ variable: 'DEVICE_CA_CERT_FILE', reason: 'names a certificate that has expired' }]);
  return createDeviceCa(certificate, key);
}

async function read<Value>(variable: string, what: string, load: () => Promise<Value | undefined>): Promise<Value> {
  const value = await load().catch(() => undefined); // the reason must not contain the file's content
  if (value === undefined) throw new ConfigError([{ variable, reason: `must name a readable file with ${what}` }]);
  return value;
}

function createDeviceCa(authority: x509.X509Certificate, signingKey: CryptoKey): DeviceCa {
  return {
    async issue(device, publicKey) {
      const key = await crypto.subtle.importKey('spki', publicKey, ALGORITHM, true, ['verify']);
      const notAfter = new Date(Math.min(Date.now() + YEAR_MS, authority.notAfter.getTime()));
      const serialNumber = newSerial();
      const certificate = await x509.X509CertificateGenerator.create({
        serialNumber,
        issuer: authority.subject,
        subject: [{ CN: [device] }],
        notBefore: new Date(Date.now() - SKEW_MS),
        notAfter,
        signingKey,
        signingAlgorithm: ALGORITHM,
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
    },
  };
}

/** A serial number of 16 random bytes, positive and without leading zero byte (RFC 5280 §4.1.2.2). */
function newSerial(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return Buffer.from(bytes).toString('hex');
}
