import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import 'reflect-metadata'; // required by @peculiar/x509
import * as x509 from '@peculiar/x509';
import type { Command } from 'commander';
import type { RunAnywhere } from './run.js';

interface CreateOptions {
  folder: string;
  databaseUrl?: string;
}

/** Paths of files that are created together, and a function that returns their contents in the same order. */
interface KeyFiles {
  paths: readonly string[];
  contents: () => readonly string[] | Promise<readonly string[]>;
}

const TEN_YEARS_MS = 3_650 * 86_400_000;
const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export function keyFileCommands(program: Command, run: RunAnywhere): void {
  program
    .command('key-files')
    .description('Manage the key files of an installation in containers. Needs no database.')
    .command('create')
    .description('Create the key files that are missing, readable by their owner only. Existing files stay.')
    .requiredOption('--folder <path>', 'folder of the files, with a folder for each service')
    .option('--database-url <url>', 'address of PostgreSQL without a password: creates one and stores both')
    .action(
      run(async (_call, { folder, databaseUrl }: CreateOptions) => {
        const created: string[] = [];
        for (const { paths, contents } of keyFiles(databaseUrl)) {
          if (paths.every((path) => existsSync(join(folder, path)))) continue;
          const texts = await contents();
          paths.forEach((path, index) => writeOnce(join(folder, path), texts[index] ?? ''));
          created.push(...paths);
        }
        return { folder, created };
      }),
    );
}

function keyFiles(databaseUrl: string | undefined): KeyFiles[] {
  const database = databaseUrl === undefined ? [] : [databaseFiles(databaseUrl)];
  return [
    { paths: ['admin-auth/signing-key.pem'], contents: () => [signingKey()] },
    { paths: ['admin-auth/device-ca.pem', 'admin-auth/device-ca-certificate.pem'], contents: deviceAuthority },
    { paths: ['runtime-api/signing-key.pem'], contents: () => [signingKey()] },
    { paths: ['secrets/secrets.env'], contents: () => [`SECRETS_KEYS=first:${randomBytes(32).toString('base64')}\n`] },
    ...database,
  ];
}

/**
 * The files with a new password of the database. PostgreSQL reads the password from the first file; the services read the second file as an
 * environment variable, the database's address with the password.
 */
function databaseFiles(databaseUrl: string): KeyFiles {
  const url = new URL(databaseUrl);
  return {
    paths: ['postgres/password', 'database/database.env'],
    contents: () => {
      url.password = randomBytes(24).toString('hex');
      return [url.password, `DATABASE_URL=${url.href}\n`];
    },
  };
}

/** Makes a P-256 key in PKCS #8 PEM. */
function signingKey(): string {
  return generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;
}

/** Makes the key and the certificate of the authority that certifies devices, both in PEM. */
async function deviceAuthority(): Promise<string[]> {
  const keys = await crypto.subtle.generateKey(ecdsa, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Millwright devices',
    keys,
    notAfter: new Date(Date.now() + TEN_YEARS_MS),
    signingAlgorithm: ecdsa,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return [`${x509.PemConverter.encode(key, 'PRIVATE KEY')}\n`, `${certificate.toString('pem')}\n`];
}

/** Writes a file. At no time, the path has a file with only a part of the content. */
function writeOnce(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
