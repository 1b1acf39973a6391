// @ts-check
import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivate } from './state-files.mjs';

/**
 * Returns the file of a service's signing key, P-256 in PKCS #8 PEM. Creates the file at the first start.
 *
 * @param {string} folder
 * @param {string} service
 */
export function signingKeyFile(folder, service) {
  const file = join(folder, `${service}.pem`);
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writePrivate(file, String(privateKey.export({ type: 'pkcs8', format: 'pem' })));
  }
  return file;
}
