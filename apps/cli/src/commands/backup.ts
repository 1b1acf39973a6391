import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { recordDecision } from '@millwright/audit';
import { InvalidArgumentError, type Command } from 'commander';
import type { Manifest } from '../backup/archive.js';
import { createBackup } from '../backup/create-backup.js';
import { isFolder, nameIn, removeOldest } from '../backup/backup-folder.js';
import { restoreBackup, ringFile, verifyBackup } from '../backup/restore-backup.js';
import { CommandRefused } from '../command-refused.js';
import { readSecret } from '../read-secret.js';
import type { CliSession } from '../session.js';
import type { Run } from './run.js';

/** Minimum length of a passphrase in characters. */
const LEAST = 16;

interface PassphraseOptions {
  passphraseFile?: string;
}

interface BackupCommandOptions extends PassphraseOptions {
  withoutKeys?: true;
  withoutFiles?: true;
  keep?: number;
}

export function backupCommands(program: Command, run: Run): void {
  withPassphrase(
    program
      .command('backup')
      .description('Write one encrypted file with the database of one moment, the files, the keys and the key ring')
      .argument('<file>', 'file to write, which must not exist; or a folder, for a file named by the time')
      .option('--without-keys', 'leave out KEY_FOLDER and SECRETS_KEYS, which you keep elsewhere')
      .option('--without-files', 'leave out the files, whose folder or bucket has a backup of its own')
      .option('--keep <n>', 'with a folder: keep its newest n backups and delete the others', toCount),
  ).action(
    run(async (session, options: BackupCommandOptions, target) => {
      const begun = Date.now();
      const inFolder = isFolder(target);
      if (options.keep !== undefined && !inFolder)
        throw new CommandRefused(`--keep needs a folder: there is no folder ${target}.`, { kind: 'usage' });
      const file = inFolder ? nameIn(target, new Date(begun)) : target;
      const passphrase = await readPassphrase(session, options);
      const { manifest, lost } = await createBackup(session.config, {
        file,
        passphrase,
        withoutKeys: options.withoutKeys === true,
        withoutFiles: options.withoutFiles === true,
      });
      const counts = countsOf(manifest);
      await session.change((tx, actor) =>
        recordDecision(tx, { actor, action: 'backup.create', resource: manifest.taken_at, detail: counts }),
      );
      const deleted =
        options.keep === undefined ? [] : removeOldest(target, options.keep).map((path) => basename(path));
      return {
        ...(lost > 0 && { files_without_bytes: lost }),
        ...{ file, bytes: statSync(file).size, taken_at: manifest.taken_at, ...counts, seconds: secondsSince(begun) },
        ...(options.keep !== undefined && { deleted }),
      };
    }),
  );
  withPassphrase(
    program
      .command('restore')
      .description(
        'Restore a backup into an empty database, and empty folders or an empty bucket. All of it is verified first.',
      )
      .argument('<file>', 'backup')
      .option('--without-files', 'restore no files, which are still in their folder or bucket')
      .option('--verify', 'only verify the file'),
  ).action(
    run(async (session, options: PassphraseOptions & { verify?: true; withoutFiles?: true }, file) => {
      const begun = Date.now();
      const passphrase = await readPassphrase(session, options);
      if (options.verify) {
        const manifest = await verifyBackup({ file, passphrase });
        return { file, taken_at: manifest.taken_at, version: manifest.version, ...countsOf(manifest) };
      }
      const { manifest, rows, migrated } = await restoreBackup(session.config, {
        file,
        passphrase,
        withoutFiles: options.withoutFiles === true,
      });
      const hasKeys = manifest.entries.some(({ kind }) => kind === 'key');
      return {
        ...{ file, taken_at: manifest.taken_at, ...countsOf(manifest), rows, migrated, seconds: secondsSince(begun) },
        secrets_keys: hasKeys ? ringFile(session.config) : null,
        next: 'Run: millwright admin db migrate --roles, start the services, then: millwright admin audit verify',
      };
    }),
  );
}

function toCount(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('Use a number from 1 to 9999.');
  return Number(text);
}

const withPassphrase = (command: Command): Command =>
  command.option('--passphrase-file <path>', 'file with the passphrase (default: the first line of standard input)');

async function readPassphrase({ terminal }: CliSession, { passphraseFile: path }: PassphraseOptions): Promise<string> {
  const text = path === undefined ? await readSecret(terminal, 'passphrase') : readLine(path);
  if (text.length < LEAST)
    throw new CommandRefused(
      `The passphrase must have at least ${LEAST} characters. Make one: openssl rand -base64 32`,
      {
        kind: 'usage',
      },
    );
  return text;
}

function readLine(path: string): string {
  try {
    return readFileSync(path, 'utf8').split('\n')[0]?.trim() ?? '';
  } catch (error) {
    throw new CommandRefused(`${path} cannot be read.`, { kind: 'usage', cause: error });
  }
}

function countsOf({ entries }: Manifest) {
  const count = (kind: string) => entries.filter((entry) => entry.kind === kind).length;
  return { tables: count('table'), files: count('file'), keys: count('key') };
}

const secondsSince = (begun: number): number => Math.round((Date.now() - begun) / 100) / 10;
