import { existsSync } from 'node:fs';
import { chmod, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listSigningKeys, rotateSigningKey, type TokenIssuer } from '@millwright/auth';
import { Option, type Command } from 'commander';
import type { Run } from './run.js';

interface RotateOptions {
  issuer: TokenIssuer;
  file?: string;
}

export function signingKeyCommands(program: Command, run: Run): void {
  const keys = program.command('signing-keys').description('keys that tokens and seals are signed with');
  keys
    .command('list')
    .description('every key with its public half, newest first')
    .action(run(({ db }) => listSigningKeys(db)));
  keys
    .command('rotate')
    .description('make the next key: into its file where that can be written, else printed once as a Secret')
    .addOption(new Option('--issuer <issuer>').choices(['admin-auth', 'runtime-api']).makeOptionMandatory())
    .option('--file <path>', 'the file that the service reads; <KEY_FOLDER>/<issuer>.pem when left out')
    .action(
      run(async ({ change, config }, { issuer, file }: RotateOptions) => {
        const { kid, pem } = await change((tx, actor) => rotateSigningKey(tx, issuer, actor));
        const path = file ?? (config.KEY_FOLDER && join(config.KEY_FOLDER, `${issuer}.pem`));
        if (path !== undefined && existsSync(path) && (await replaceFile(path, pem))) {
          return { kid, issuer, file: path, next: 'The service signs with it within a minute; no restart is needed.' };
        }
        const next = `kubectl apply -f - < this; the service signs with it when its volume has it, without a restart.`;
        return { kid, issuer, file: null, secret: secretOf(issuer, pem), next };
      }),
    );
}

/** Never seen half written, and for its owner only. `false` when the file cannot be written. */
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

/** What the manifests mount. */
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
