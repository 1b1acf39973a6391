import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { connect, migrationStatus, readMigrations } from '@millwright/db/migrations';
import { CommandRefused } from '../command-refused.js';
import { migrationsFolder } from '../database/migrations-folder.js';
import type { Config } from '../config.js';
import { cliVersion } from '../version.js';
import { writeArchive, type Entry, type Manifest } from './archive.js';
import { beginSnapshot, readRows, type Client } from './database-copy.js';
import { filesBelow, folderEntries } from './folders.js';
import { seal } from './sealed-stream.js';

/** Name of the entry that holds SECRETS_KEYS. */
export const RING = 'SECRETS_KEYS';

export interface BackupOptions {
  file: string;
  passphrase: string;
  /** Leave out signing keys, device authority and SECRETS_KEYS, because they are kept elsewhere. */
  withoutKeys: boolean;
}

/**
 * Writes an encrypted backup of the database at one moment, of the files, of the keys and of the key ring. The file gets its name
 * only when it is complete.
 * @throws CommandRefused before anything is written, when keys are wanted but not configured
 */
export async function createBackup(
  config: Config,
  { file, passphrase, withoutKeys }: BackupOptions,
): Promise<Manifest> {
  if (!withoutKeys && (config.KEY_FOLDER === undefined || config.SECRETS_KEYS === undefined))
    throw new CommandRefused(
      'Set KEY_FOLDER and SECRETS_KEYS as for the services, so that a restore can read the secrets; or keep them yourself: --without-keys',
      { kind: 'usage' },
    );
  const { applied, pending } = await migrationStatus(config.DATABASE_URL, readMigrations(migrationsFolder(config)));
  if (pending.length > 0) throw new CommandRefused('The schema is out of date. Run: millwright admin db migrate');
  const client = await connect(config.DATABASE_URL);
  try {
    const { takenAt, tables, sequences } = await beginSnapshot(client);
    const about = { taken_at: takenAt.toISOString(), version: cliVersion, migrations: applied, sequences };
    const manifest: { value?: Manifest } = {};
    const archive = async function* () {
      manifest.value = yield* writeArchive(entriesOf(client, config, tables, withoutKeys), about);
    };
    await writeSealed(archive(), file, passphrase);
    if (!manifest.value) throw new Error('The archive ended without its manifest.');
    return manifest.value;
  } finally {
    await client.end();
  }
}

async function* entriesOf(
  client: Client,
  config: Config,
  tables: string[],
  withoutKeys: boolean,
): AsyncGenerator<Entry> {
  for (const table of tables) yield { kind: 'table', name: table, parts: readRows(client, table) };
  // Read after the snapshot: because bytes are stored before their row, each row of the snapshot has its file, unless the file
  // was deleted since.
  const { FILES_DIR: files, KEY_FOLDER: keys, SECRETS_KEYS: ring } = config;
  if (files !== undefined) yield* folderEntries('file', files, await filesBelow(files));
  if (withoutKeys || keys === undefined || ring === undefined) return;
  yield* folderEntries('key', keys, await filesBelow(keys));
  const text = ring.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(',');
  yield { kind: 'key', name: RING, parts: Readable.from([Buffer.from(text)]) };
}

async function writeSealed(archive: AsyncIterable<Buffer>, file: string, passphrase: string): Promise<void> {
  const partial = `${file}.part`;
  const packed = createGzip({ level: 6 });
  const compressing = pipeline(Readable.from(archive), packed);
  try {
    await Promise.all([
      compressing,
      pipeline(
        Readable.from(seal(packed, passphrase)),
        createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }),
      ),
    ]);
    if (await stat(file).catch(() => undefined)) throw new CommandRefused(`${file} exists. Choose another name.`);
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
