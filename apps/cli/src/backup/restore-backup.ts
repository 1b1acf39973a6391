import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Readable } from 'node:stream';
import { openFileStorage, type FileStorage } from '@millwright/files';
import { connect, migrate, readMigrations, type Migration } from '@millwright/db/migrations';
import { CommandRefused } from '../command-refused.js';
import { migrationsFolder } from '../database/migrations-folder.js';
import type { Config } from '../config.js';
import { readArchive, type ArchiveReader, type Manifest } from './archive.js';
import { createRowWriter, listTables, readFileIds, type Client } from './database-copy.js';
import { RING } from './create-backup.js';
import { createFolderWriter, filesBelow } from './folders.js';
import { unseal } from './sealed-stream.js';
import { createFileWriter } from './stored-files.js';

export interface BackupFile {
  file: string;
  passphrase: string;
}

export interface RestoreOptions extends BackupFile {
  /** Whether only rows are restored, because the bytes of files still exist in their folder or bucket, or come from another backup. */
  withoutFiles: boolean;
}

/** Reads a backup to its end. @throws CommandRefused when the passphrase is wrong, or the file was changed or cut off */
async function readBackup({ file, passphrase }: BackupFile, reader: ArchiveReader): Promise<Manifest> {
  if (!existsSync(file)) throw new CommandRefused(`There is no file ${file}.`);
  const unpacked = createGunzip();
  const unpacking = pipeline(
    Readable.from(unseal(createReadStream(file, { highWaterMark: 1_048_576 }), passphrase)),
    unpacked,
  );
  const [manifest] = await Promise.all([readArchive(unpacked, reader), unpacking]);
  return manifest;
}

/** A date later than the date of any file. */
const EVER = new Date(8_640_000_000_000_000);

const nothing: ArchiveReader = {
  begin: () => Promise.resolve(),
  data: () => Promise.resolve(),
  end: () => Promise.resolve(),
};

/** Checks every byte of a backup, and writes nothing. */
export const verifyBackup = (options: BackupFile): Promise<Manifest> => readBackup(options, nothing);

/**
 * Restores a backup into an empty database, and into empty folders or an empty bucket. The whole backup is verified before anything is
 * written, and all rows are committed together.
 * @throws CommandRefused when the target is not empty, or a later release made the backup
 */
export async function restoreBackup(config: Config, options: RestoreOptions) {
  const manifest = await verifyBackup(options);
  const migrations = readMigrations(migrationsFolder(config));
  const former = migrationsOf(manifest, migrations);
  const hasFiles = manifest.entries.some(({ kind }) => kind === 'file') && !options.withoutFiles;
  const hasPlace = config.FILES_DIR !== undefined || config.FILES_S3_BUCKET !== undefined;
  const storage = hasFiles && hasPlace ? await openFileStorage(config) : undefined;
  try {
    await requireEmpty(config, manifest, { hasFiles, storage });
    await migrate(config.DATABASE_URL, former);
    const rows = await writeAll(config, options, manifest, storage);
    const { applied } = await migrate(config.DATABASE_URL, migrations);
    return { manifest, rows, migrated: applied.length };
  } finally {
    storage?.close();
  }
}

/** Returns the migrations that had been applied to the database when the backup was made. */
function migrationsOf(manifest: Manifest, migrations: readonly Migration[]): Migration[] {
  const former = migrations.slice(0, manifest.migrations.length);
  if (former.some(({ name }, at) => name !== manifest.migrations[at]) || former.length < manifest.migrations.length)
    throw new CommandRefused(
      `The backup was made by release ${manifest.version}, which this one does not know. Use that release or a later one.`,
    );
  return former;
}

async function requireEmpty(
  config: Config,
  { entries }: Manifest,
  { hasFiles, storage }: { hasFiles: boolean; storage: FileStorage | undefined },
): Promise<void> {
  const faults: string[] = [];
  const client = await connect(config.DATABASE_URL);
  try {
    if ((await listTables(client)).length > 0) faults.push('the database has tables');
  } finally {
    await client.end();
  }
  if (hasFiles && !storage)
    faults.push('FILES_DIR or FILES_S3_BUCKET must name an empty place for the files, or use --without-files');
  else if (storage && (await hasAny(storage)))
    faults.push('the place of the files (FILES_DIR or FILES_S3_BUCKET) is not empty; to keep them: --without-files');
  const { KEY_FOLDER: folder } = config;
  if (entries.some(({ kind }) => kind === 'key')) {
    if (folder === undefined) faults.push('KEY_FOLDER must name an empty folder');
    else if ((await filesBelow(folder)).length > 0) faults.push(`${folder} (KEY_FOLDER) is not empty`);
  }
  if (faults.length > 0)
    throw new CommandRefused(`Nothing was restored, since a restore replaces nothing: ${faults.join('; ')}.`, {
      code: 'not_empty',
    });
}

async function hasAny(storage: FileStorage): Promise<boolean> {
  for await (const ids of storage.list(EVER)) if (ids.length > 0) return true;
  return false;
}

const skipped = { begin: () => Promise.resolve(), write: () => Promise.resolve(), end: () => Promise.resolve() };

async function writeAll(
  config: Config,
  options: BackupFile,
  manifest: Manifest,
  storage: FileStorage | undefined,
): Promise<number> {
  const client = await connect(config.DATABASE_URL);
  try {
    const table = await createRowWriter(client);
    const writers = {
      table: { begin: table.begin, write: table.write, end: table.end },
      file: storage ? createFileWriter(storage) : skipped,
      key: createFolderWriter(config.KEY_FOLDER ?? ''),
    };
    let kind: keyof typeof writers = 'table';
    await readBackup(options, {
      begin: (next, name) => writers[(kind = next)].begin(name),
      data: (bytes) => writers[kind].write(bytes),
      end: () => writers[kind].end(),
    });
    return await table.commit(manifest.sequences, storage ? await goneFiles(client, manifest) : []);
  } finally {
    await client.end();
  }
}

/** Returns the ids of rows whose files the backup does not contain, because they were deleted during the backup. */
async function goneFiles(client: Client, { entries }: Manifest): Promise<string[]> {
  const kept = new Set(entries.filter(({ kind }) => kind === 'file').map(({ name }) => name));
  return (await readFileIds(client)).filter((id) => !kept.has(id));
}

/** Returns the path to which the key ring of a backup is restored; null when KEY_FOLDER is not set. */
export const ringFile = (config: Config): string | null =>
  config.KEY_FOLDER === undefined ? null : join(config.KEY_FOLDER, RING);
