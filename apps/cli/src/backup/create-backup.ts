import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { openFileStorage, type FileStorage } from '@millwright/files';
import { connect, migrationStatus, readMigrations } from '@millwright/db/migrations';
import { CommandRefused } from '../command-refused.js';
import { migrationsFolder } from '../database/migrations-folder.js';
import type { Config } from '../config.js';
import { cliVersion } from '../version.js';
import { writeArchive, type Entry, type Manifest } from './archive.js';
import { beginSnapshot, countFiles, readFileIds, readRows, type Client } from './database-copy.js';
import { filesBelow, filesOf } from './folders.js';
import { seal } from './sealed-stream.js';
import { storedFiles } from './stored-files.js';

/** Name of the entry that contains SECRETS_KEYS. */
export const RING = 'SECRETS_KEYS';

export interface BackupOptions {
  file: string;
  passphrase: string;
  /** Whether signing keys, the device authority and SECRETS_KEYS are left out, because they are stored elsewhere. */
  withoutKeys: boolean;
  /** Whether the bytes of files are left out, because another backup covers their folder or bucket. */
  withoutFiles: boolean;
}

/**
 * Writes an encrypted backup of the database at one moment, of the files, of the keys and of the key ring. The file gets its name only when
 * it is complete. `lost` is the number of files that have a row but no bytes in the storage.
 * @throws CommandRefused before anything is written, when keys or files are requested but not configured
 */
export async function createBackup(
  config: Config,
  options: BackupOptions,
): Promise<{ manifest: Manifest; lost: number }> {
  requireSettings(config, options);
  const { applied, pending } = await migrationStatus(config.DATABASE_URL, readMigrations(migrationsFolder(config)));
  if (pending.length > 0) throw new CommandRefused('The schema is out of date. Run: millwright admin db migrate');
  const storage = options.withoutFiles ? undefined : await openFileStorage(config);
  const client = await connect(config.DATABASE_URL);
  try {
    await storage?.check();
    const { takenAt, tables, sequences } = await beginSnapshot(client);
    const about = { taken_at: takenAt.toISOString(), version: cliVersion, migrations: applied, sequences };
    const written: { manifest?: Manifest; lost: number } = { lost: 0 };
    const entries = async function* () {
      for (const table of tables) yield { kind: 'table', name: table, parts: readRows(client, table) } as const;
      if (storage) written.lost = yield* fileEntries(client, storage);
      if (!options.withoutKeys) yield* keyEntries(config);
    };
    const archive = async function* () {
      written.manifest = yield* writeArchive(entries(), about);
    };
    await writeSealed(archive(), options);
    if (!written.manifest) throw new Error('The archive ended without its manifest.');
    return { manifest: written.manifest, lost: written.lost };
  } finally {
    await client.end();
    storage?.close();
  }
}

function requireSettings(config: Config, { withoutKeys, withoutFiles }: BackupOptions): void {
  const faults: string[] = [];
  if (!withoutKeys && (config.KEY_FOLDER === undefined || config.SECRETS_KEYS === undefined))
    faults.push(
      'Set KEY_FOLDER and SECRETS_KEYS as for the services, so that a restore can read the secrets; or keep them yourself: --without-keys',
    );
  if (!withoutFiles && config.FILES_DIR === undefined && config.FILES_S3_BUCKET === undefined)
    faults.push(
      'Set FILES_DIR or FILES_S3_* as for the runtime API, so that a restore has the files; or keep them yourself: --without-files',
    );
  if (faults.length > 0) throw new CommandRefused(faults.join('\n'), { kind: 'usage' });
}

/**
 * Reads the files of the snapshot. Because bytes are stored before their row, each row has its file, unless the file was deleted since.
 * @returns the number of missing files that were not deleted
 */
async function* fileEntries(client: Client, storage: FileStorage): AsyncGenerator<Entry, number> {
  const ids = await readFileIds(client);
  // The transaction ends here: reading the files may take hours, and PostgreSQL cannot remove old rows while a transaction is open.
  await client.query('COMMIT');
  const missing = yield* storedFiles(storage, ids);
  const lost = await countFiles(client, missing);
  if (lost > 0 && missing.length === ids.length)
    throw new CommandRefused(
      `The table files has ${lost} rows, and FILES_DIR or FILES_S3_BUCKET has none of their files. Set it as for the runtime API.`,
    );
  return lost;
}

/** Reads the key files and the key ring. */
async function* keyEntries({ KEY_FOLDER: folder = '', SECRETS_KEYS: ring = [] }: Config): AsyncGenerator<Entry> {
  yield* filesOf(folder, await filesBelow(folder));
  const text = ring.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(',');
  yield { kind: 'key', name: RING, parts: Readable.from([Buffer.from(text)]) };
}

async function writeSealed(archive: AsyncIterable<Buffer>, { file, passphrase }: BackupOptions): Promise<void> {
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
