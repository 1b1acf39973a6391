import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { loadDeviceCa, type DeviceCa } from './device-ca.js';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export interface CaFiles {
  keyPem: string;
  certificatePem: string;
}

/** Creates a certificate authority like that of `npm start`. */
export async function newCaFiles({
  notAfter = new Date(Date.now() + 86_400_000 * 3_650),
  ca = true,
} = {}): Promise<CaFiles> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Test devices',
    keys,
    notBefore: new Date(Date.now() - 86_400_000 * 2),
    notAfter,
    signingAlgorithm: ALGORITHM,
    extensions: [new x509.BasicConstraintsExtension(ca, undefined, true)],
  });
  const der = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { keyPem: x509.PemConverter.encode(der, 'PRIVATE KEY'), certificatePem: certificate.toString('pem') };
}

/** Reads an authority from files, as the service does. */
export async function loadCaFrom({ keyPem, certificatePem }: CaFiles): Promise<DeviceCa> {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-ca-'));
  try {
    const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    writeFileSync(keyFile, keyPem);
    writeFileSync(certificateFile, certificatePem);
    return await loadDeviceCa(keyFile, certificateFile);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const newDeviceCa = async () => loadCaFrom(await newCaFiles());
