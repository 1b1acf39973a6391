import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ConfigError } from '@millwright/config';
import type { DeviceCertificate } from './issue-certificate.js';
import { KEY_ALGORITHM } from './key-algorithm.js';

/** Signs certificates of devices with the installation's own authority. */
export interface DeviceCa {
  /** Issues a certificate for a device's id and its P-256 public key (SubjectPublicKeyInfo, DER), for at most a year. */
  issue: (device: string, publicKey: Uint8Array<ArrayBuffer>) => Promise<DeviceCertificate>;
}

/**
 * Reads the authority's key (P-256, PKCS #8 PEM) and certificate (PEM).
 * @throws ConfigError when one of the files is not valid. The error names the variable of that file.
 */
export async function loadDeviceCa(keyFile: string, certificateFile: string): Promise<DeviceCa> {
  const certificate = await read('DEVICE_CA_CERT_FILE', 'a certificate of an authority in PEM form', async () => {
    const found = new X509Certificate(await readFile(certificateFile, 'utf8'));
    return found.ca ? found : undefined;
  });
  const signingKey = await read(
    'DEVICE_CA_KEY_FILE',
    'the P-256 private key of the certificate in PEM form',
    async () => {
      const found = createPrivateKey(await readFile(keyFile, 'utf8'));
      const der = new Uint8Array(found.export({ type: 'pkcs8', format: 'der' }));
      const signingKey = await crypto.subtle.importKey('pkcs8', der, KEY_ALGORITHM, false, ['sign']);
      return certificate.checkPrivateKey(found) ? signingKey : undefined;
    },
  );
  if (certificate.validToDate <= new Date())
    throw new ConfigError([{ variable: 'DEVICE_CA_CERT_FILE', reason: 'names a certificate that has expired' }]);
  return {
    issue: async (device, publicKey) => {
      const { issueCertificate } = await import('./issue-certificate.js');
      return issueCertificate({ certificate, signingKey }, device, publicKey);
    },
  };
}

async function read<Value>(variable: string, what: string, load: () => Promise<Value | undefined>): Promise<Value> {
  const value = await load().catch(() => undefined); // drops the error, because its message may contain the file's content
  if (value === undefined) throw new ConfigError([{ variable, reason: `must name a readable file with ${what}` }]);
  return value;
}
