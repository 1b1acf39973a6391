import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Readable } from 'node:stream';
import { connect, migrate, readMigrations, type Migration } from '@millwright/db/migrations';
import { CommandRefused } from '../command-refused.js';
import { migrationsFolder } from '../database/migrations-folder.js';
import type { Config } from '../config.js';
import { readArchive, type ArchiveReader, type Manifest } from './archive.js';
import { createRowWriter, listTables } from './database-copy.js';
import { RING } from './create-backup.js';
import { createFolderWriter, filesBelow } from './folders.js';
import { unseal } from './sealed-stream.js';

export interface RestoreOptions {
  file: string;
  passphrase: string;
}

/** Reads a backup to its end. @throws CommandRefused for a wrong passphrase, and for a file that was changed or cut off */
async function readBackup({ file, passphrase }: RestoreOptions, reader: ArchiveReader): Promise<Manifest> {
  if (!existsSync(file)) throw new CommandRefused(`There is no file ${file}.`);
  const unpacked = createGunzip();
  const unpacking = pipeline(
    Readable.from(unseal(createReadStream(file, { highWaterMark: 1_048_576 }), passphrase)),
    unpacked,
  );
  const [manifest] = await Promise.all([readArchive(unpacked, reader), unpacking]);
  return manifest;
}

const nothing: ArchiveReader = {
  begin: () => Promise.resolve(),
  data: () => Promise.resolve(),
  end: () => Promise.resolve(),
};

/** Checks every byte of a backup, and writes nothing. */
export const verifyBackup = (options: RestoreOptions): Promise<Manifest> => readBackup(options, nothing);

/**
 * Restores a backup into an empty database and empty folders. The whole backup is verified before anything is written, and all
 * rows are committed together.
 * @throws CommandRefused for a target that is not empty, and for a backup of a later release
 */
export async function restoreBackup(config: Config, options: RestoreOptions) {
  const manifest = await verifyBackup(options);
  const migrations = readMigrations(migrationsFolder(config));
  const former = migrationsOf(manifest, migrations);
  await requireEmpty(config, manifest);
  await migrate(config.DATABASE_URL, former);
  const rows = await writeAll(config, options, manifest);
  const { applied } = await migrate(config.DATABASE_URL, migrations);
  return { manifest, rows, migrated: applied.length };
}

/** Returns the migrations that the backup's schema contains. */
function migrationsOf(manifest: Manifest, migrations: readonly Migration[]): Migration[] {
  const former = migrations.slice(0, manifest.migrations.length);
  if (former.some(({ name }, at) => name !== manifest.migrations[at]) || former.length < manifest.migrations.length)
    throw new CommandRefused(
      `The backup was made by release ${manifest.version}, which this one does not know. Use that release or a later one.`,
    );
  return former;
}

async function requireEmpty(config: Config, { entries }: Manifest): Promise<void> {
  const faults: string[] = [];
  const client = await connect(config.DATABASE_URL);
  try {
    if ((await listTables(client)).length > 0) faults.push('the database has tables');
  } finally {
    await client.end();
  }
  for (const [kind, setting] of [
    ['file', 'FILES_DIR'],
    ['key', 'KEY_FOLDER'],
  ] as const) {
    if (!entries.some((entry) => entry.kind === kind)) continue;
    const folder = config[setting];
    if (folder === undefined) faults.push(`${setting} must name an empty folder`);
    else if ((await filesBelow(folder)).length > 0) faults.push(`${folder} (${setting}) is not empty`);
  }
  if (faults.length > 0)
    throw new CommandRefused(`Nothing was restored, since a restore replaces nothing: ${faults.join('; ')}.`, {
      code: 'not_empty',
    });
}

async function writeAll(config: Config, options: RestoreOptions, manifest: Manifest): Promise<number> {
  const client = await connect(config.DATABASE_URL);
  try {
    const table = await createRowWriter(client);
    const writers = {
      table: { begin: table.begin, write: table.write, end: table.end },
      file: createFolderWriter(config.FILES_DIR ?? ''),
      key: createFolderWriter(config.KEY_FOLDER ?? ''),
    };
    let kind: keyof typeof writers = 'table';
    await readBackup(options, {
      begin: (next, name) => writers[(kind = next)].begin(name),
      data: (bytes) => writers[kind].write(bytes),
      end: () => writers[kind].end(),
    });
    return await table.commit(manifest.sequences, await goneFiles(client, config, manifest));
  } finally {
    await client.end();
  }
}

/** Finds rows whose files were deleted while the backup was made. With S3 there are none to find: the bucket has the files. */
async function goneFiles(
  client: Awaited<ReturnType<typeof connect>>,
  { FILES_DIR: folder }: Config,
  { entries }: Manifest,
) {
  if (folder === undefined || !entries.some(({ kind }) => kind === 'file')) return [];
  const kept = new Set(entries.filter(({ kind }) => kind === 'file').map(({ name }) => name));
  const { rows } = await client.query<{ id: string }>('SELECT id FROM files');
  return rows.map(({ id }) => id).filter((id) => !kept.has(id));
}

/** Path to which the key ring of a backup is restored. */
export const ringFile = (config: Config): string | null =>
  config.KEY_FOLDER === undefined ? null : join(config.KEY_FOLDER, RING);
