import { existsSync } from 'node:fs';
import { chmod, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  listSigningKeys,
  revokeSigningKey,
  rotateSigningKey,
  type NewSigningKey,
} from '@millwright/accounts/signing-keys';
import type { TokenIssuer } from '@millwright/auth/signing-keys';
import { Option, type Command } from 'commander';
import { Manifest } from '../output.js';
import type { Run } from './run.js';

interface RotateOptions {
  issuer: TokenIssuer;
  file?: string;
}

export function signingKeyCommands(program: Command, run: Run): void {
  const keys = program.command('signing-keys').description('Manage the keys that sign tokens and seals');
  keys
    .command('list')
    .description('List signing keys with their public keys, newest first')
    .action(run(({ db }) => listSigningKeys(db)));
  keys
    .command('rotate')
    .description('Create the next key. It replaces the key file; without one it is printed once as a Secret.')
    .addOption(
      new Option('--issuer <issuer>', 'service that signs with the key')
        .choices(['admin-auth', 'runtime-api'])
        .makeOptionMandatory(),
    )
    .option('--file <path>', 'key file of the service (default: <KEY_FOLDER>/<issuer>.pem)')
    .action(
      run(async ({ change, config }, { issuer, file }: RotateOptions) =>
        install(await change((tx, actor) => rotateSigningKey(tx, issuer, actor)), file ?? keyFile(config, issuer)),
      ),
    );
  keys
    .command('revoke')
    .description('Revoke a key that may have leaked, and create the next one as rotate does')
    .argument('<kid>')
    .option('--file <path>', 'key file of the service (default: <KEY_FOLDER>/<issuer>.pem)')
    .action(
      run(async ({ change, config }, { file }: { file?: string }, kid: string) => {
        const next = await change(async (tx, actor) => {
          const issuer = await revokeSigningKey(tx, kid, actor);
          return rotateSigningKey(tx, issuer, actor);
        });
        return install(next, file ?? keyFile(config, next.issuer), { revoked: kid });
      }),
    );
}

const keyFile = (config: { KEY_FOLDER?: string | undefined }, issuer: TokenIssuer): string | undefined =>
  config.KEY_FOLDER && join(config.KEY_FOLDER, `${issuer}.pem`);

/**
 * Writes a new key into the key file of its service. If this is not possible, returns a Kubernetes Secret with the key, which is printed.
 */
async function install(
  { kid, issuer, pem }: NewSigningKey,
  path: string | undefined,
  done: object = {},
): Promise<object> {
  const result = { ...done, kid, issuer };
  if (path !== undefined && existsSync(path) && (await replaceFile(path, pem)))
    return { ...result, file: path, next: 'The service signs with it within a minute. No restart is needed.' };
  const secret = secretOf(issuer, pem);
  const next = `Apply the secret with kubectl. The service signs with it once its volume is updated, without a restart.`;
  return new Manifest({ ...result, file: null, secret, next }, secret, `Created key ${kid}. ${next}`);
}

/** Replaces the file atomically, readable only by its owner. `false` when the file cannot be written. */
async function replaceFile(path: string, pem: string): Promise<boolean> {
  try {
    await writeFile(`${path}.new`, pem, { mode: 0o600 });
    await chmod(`${path}.new`, 0o600);
    await rename(`${path}.new`, path);
    return true;
  } catch {
    return false; // the key is printed instead
  }
}

/** Returns a Kubernetes Secret with the key. The manifests of the services mount this Secret. */
function secretOf(issuer: TokenIssuer, pem: string): string {
  const indented = pem.trimEnd().replaceAll(/^/gm, '    ');
  return `apiVersion: v1
kind: Secret
metadata:
  name: ${issuer}-signing-key
  namespace: millwright
stringData:
  signing-key.pem: |
${indented}
`;
}
