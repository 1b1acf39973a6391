import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { noteSecret } from './secrets.js';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Makes a certificate authority for devices in the folder, as an operator does. @returns the settings of admin-auth for this authority */
export async function writeDeviceCa(folder: string): Promise<Record<string, string>> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Devices',
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  });
  const [keyFile, certificateFile] = [join(folder, 'device-ca.pem'), join(folder, 'device-ca-certificate.pem')];
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  const pem = x509.PemConverter.encode(key, 'PRIVATE KEY');
  noteSecret(pem);
  writeFileSync(keyFile, pem, { mode: 0o600 });
  writeFileSync(certificateFile, certificate.toString('pem'));
  return { DEVICE_CA_KEY_FILE: keyFile, DEVICE_CA_CERT_FILE: certificateFile };
}
