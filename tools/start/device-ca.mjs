// @ts-check
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import 'reflect-metadata'; // required by @peculiar/x509
import * as x509 from '@peculiar/x509';
import { writePrivate } from './state-files.mjs';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const TEN_YEARS_MS = 3_650 * 86_400_000;

/**
 * Returns the settings that name the files of the authority that certifies devices: its P-256 key and its certificate, both in PEM. Creates the files
 * at the first start.
 *
 * @param {string} folder
 */
export async function deviceCaFiles(folder) {
  const [keyFile, certificateFile] = ['device-ca.pem', 'device-ca-certificate.pem'].map((name) => join(folder, name));
  if (!keyFile || !certificateFile) throw new Error('no folder for the authority of devices');
  if (!existsSync(keyFile) || !existsSync(certificateFile)) {
    const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      name: 'CN=Millwright devices',
      keys,
      notAfter: new Date(Date.now() + TEN_YEARS_MS),
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
    writePrivate(keyFile, `${x509.PemConverter.encode(key, 'PRIVATE KEY')}\n`);
    writePrivate(certificateFile, `${certificate.toString('pem')}\n`);
  }
  return { DEVICE_CA_KEY_FILE: keyFile, DEVICE_CA_CERT_FILE: certificateFile };
}
