import { randomBytes } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createDatabase, newId } from '@millwright/db';
import { connect } from '@millwright/db/migrations';
import { openFileStorage } from '@millwright/files';
import {
  createEmptyDatabase,
  createTestDatabase,
  startS3,
  type S3Server,
  type TestDatabase,
} from '@millwright/testing';
import { createTestProgram, type TestProgram } from '../test-program.js';
import { listTables } from './database-copy.js';

const PASSPHRASE = 'a passphrase of the test';
/** Options for a backup that contains only the database. */
const ROWS_ONLY = ['--without-keys', '--without-files'];
const RING = `first:${randomBytes(32).toString('base64')}`;
let program: TestProgram;
let source: TestDatabase;
let folder: string;
let file: string;
const fileId = newId();

const run = (args: string[], env: Record<string, string>, typed = `${PASSPHRASE}\n`) => program.run(args, env, typed);
const env = (url: string, place: string) => ({
  DATABASE_URL: url,
  FILES_DIR: join(folder, place, 'files'),
  KEY_FOLDER: join(folder, place, 'keys'),
});

beforeAll(async () => {
  program = createTestProgram();
  source = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'millwright-backup-'));
  file = join(folder, 'installation.backup');
  const here = env(source.url, 'source');
  mkdirSync(here.FILES_DIR, { recursive: true });
  mkdirSync(join(here.KEY_FOLDER, 'admin-auth'), { recursive: true });
  writeFileSync(join(here.FILES_DIR, fileId), 'All is well.');
  writeFileSync(join(here.FILES_DIR, `${newId()}.part`), 'not complete');
  writeFileSync(join(here.KEY_FOLDER, 'admin-auth/signing-key.pem'), 'a key');
  for (const email of ['root', 'ann', 'zoë'])
    await run(
      ['users', 'create', '--email', `${email}@example.com`, '--name', `${email} "\\, (x)`, '--platform-admin'],
      here,
    );
  const db = createDatabase({ url: source.url, poolMax: 1 });
  const { id: user_id } = await db.prisma.user.findFirstOrThrow();
  const stored = {
    project: 'Core',
    size: 12,
    content_type: 'text/plain',
    sha256: randomBytes(32),
    created_by: user_id,
  } as const;
  await db.prisma.file.create({ data: { id: fileId, path: 'kept.txt', ...stored } });
  await db.prisma.file.create({ data: { id: newId(), path: 'deleted-meanwhile.txt', ...stored } });
  const usage = { project: 'Core', kind: 'model_run', model: 'm', prompt_tokens: 1, completion_tokens: 1 };
  await db.prisma.usageEvent.create({ data: { id: newId(), user_id, subject_id: newId(), ...usage } });
  await db.close();
});
afterAll(async () => {
  await source.drop();
  program.remove();
  rmSync(folder, { recursive: true });
});

/** Reads every row of every table as text. */
async function contentOf(url: string): Promise<Record<string, string[]>> {
  const client = await connect(url);
  const content: Record<string, string[]> = {};
  for (const table of await listTables(client)) {
    const { rows } = await client.query<{ line: string }>(`SELECT t::text AS line FROM ${table} t ORDER BY 1`);
    content[table] = rows.map(({ line }) => line);
  }
  await client.end();
  return content;
}

describe('millwright backup', () => {
  it('refuses a short passphrase, and requires --without-keys and --without-files for a backup without keys and files', async () => {
    const { code, err } = await run(['backup', file], { DATABASE_URL: source.url });
    expect(code).toBe(2);
    expect(err).toContain('--without-keys');
    expect(err).toContain('--without-files');
    expect((await run(['backup', file, ...ROWS_ONLY], { DATABASE_URL: source.url }, 'short\n')).code).toBe(2);
  });

  it('refuses a folder that contains none of the stored files; if some files are missing, it reports their number', async () => {
    const here = env(source.url, 'source');
    const wrong = await run(['backup', file, '--without-keys'], { ...here, FILES_DIR: join(folder, 'wrong') });
    expect(wrong).toMatchObject({ code: 1, out: '' });
    expect(wrong.err).toContain('FILES_DIR');
    const { out } = await run(['backup', join(folder, 'some.backup'), '--without-keys', '--json'], here);
    expect(JSON.parse(out)).toMatchObject({ files: 1, files_without_bytes: 1 });
  });

  it('writes one encrypted file that only its owner can open', async () => {
    const before = await contentOf(source.url);
    const { code, out, err } = await run(['backup', file, '--json'], {
      ...env(source.url, 'source'),
      SECRETS_KEYS: RING,
    });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({ tables: Object.keys(before).length, files: 1, keys: 2 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const bytes = readFileSync(file);
    for (const text of ['example.com', 'All is well', 'signing-key', RING]) expect(bytes.includes(text)).toBe(false);
    const again = await run(['backup', file], { ...env(source.url, 'source'), SECRETS_KEYS: RING });
    expect(again.code).toBe(1);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });
});

describe('millwright backup <folder> --keep', () => {
  const target = (name: string) => join(folder, 'daily', name);
  const backup = (args: string[]) => run(['backup', ...args, ...ROWS_ONLY, '--json'], { DATABASE_URL: source.url });

  it('writes a file whose name contains the time, and deletes the oldest backups but no other file', async () => {
    mkdirSync(join(folder, 'daily'));
    const nameOf = (day: string) => `millwright-${day}T010000Z.backup`;
    const former = ['20261120', '20261121', '20261122'].map(nameOf);
    const [left, written] = [`${nameOf('20200101')}.part`, `${nameOf('20200102')}.part`];
    const others = ['mine.backup', 'mine.part', written];
    for (const name of [...former, ...others, left]) writeFileSync(target(name), '');
    utimesSync(target(left), 0, 0);
    const { code, err, out } = await backup([join(folder, 'daily'), '--keep', '2']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { file: newest, deleted } = JSON.parse(out) as { file: string; deleted: string[] };
    expect(basename(newest)).toMatch(/^millwright-\d{8}T\d{6}Z\.backup$/);
    expect(deleted).toEqual([former[1], former[0], left]);
    expect(readdirSync(join(folder, 'daily')).sort()).toEqual([former[2], basename(newest), ...others].sort());
    expect((await run(['restore', newest, '--verify'], { DATABASE_URL: source.url })).code).toBe(0);
  });

  it('deletes nothing when the backup fails, and refuses --keep without a folder', async () => {
    const before = readdirSync(join(folder, 'daily'));
    const unreachable = { DATABASE_URL: 'postgresql://u@127.0.0.1:1/x' };
    const failed = await run(['backup', join(folder, 'daily'), ...ROWS_ONLY, '--keep', '1'], unreachable);
    expect(failed.code).not.toBe(0);
    expect(readdirSync(join(folder, 'daily'))).toEqual(before);
    for (const args of [
      [join(folder, 'absent'), '--keep', '2'],
      [join(folder, 'daily'), '--keep', '0'],
    ])
      expect(await backup(args)).toMatchObject({ code: 2, out: '' });
  });
});

describe('millwright restore', () => {
  it('restores rows, files, key files and the key ring into an empty installation, whose audit log verifies', async () => {
    const target = await createEmptyDatabase();
    const there = env(target.url, 'target');
    const { code, err, out } = await run(['restore', file, '--json'], there);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({ files: 1, keys: 2, migrated: 0 });
    expect(readFileSync(join(there.FILES_DIR, fileId), 'utf8')).toBe('All is well.');
    expect(readFileSync(join(there.KEY_FOLDER, 'admin-auth/signing-key.pem'), 'utf8')).toBe('a key');
    expect(readFileSync(join(there.KEY_FOLDER, 'SECRETS_KEYS'), 'utf8')).toBe(RING);
    const [before, after] = [await contentOf(source.url), await contentOf(target.url)];
    expect(Object.keys(after)).toEqual(Object.keys(before));
    // Some tables may differ: the backup's own audit row is written after the snapshot, and a row is not restored when the bytes of its
    // file are missing.
    const changed = Object.keys(before).filter(
      (table) => JSON.stringify(before[table]) !== JSON.stringify(after[table]),
    );
    expect(changed.filter((table) => !/^(governance_|files$|quota_usage$)/.test(table))).toEqual([]);
    expect(after['files']).toHaveLength(1);
    // `usage_events` has partitions. Its rows are restored through the table, and not through a partition.
    expect(after['usage_events']).toHaveLength(1);
    expect((await run(['audit', 'verify', '--json'], there)).code).toBe(0);
    expect((await run(['quotas', 'check', '--json'], there)).code).toBe(0);
    expect((await run(['users', 'create', '--email', 'new@example.com', '--name', 'New'], there)).code).toBe(0);
    const constraints =
      "SELECT conname FROM pg_constraint WHERE convalidated AND connamespace = 'public'::regnamespace ORDER BY 1";
    const disabled = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'O'";
    const [one, other] = [await connect(source.url), await connect(target.url)];
    expect((await other.query(constraints)).rows).toEqual((await one.query(constraints)).rows);
    expect((await other.query(disabled)).rows).toEqual([]);
    await Promise.all([one.end(), other.end()]);

    const again = await run(['restore', file, '--json'], there);
    expect(again.code).toBe(1);
    expect(JSON.parse(again.err)).toMatchObject({ error: { code: 'not_empty' } });
    await target.drop();
  });

  it('refuses a wrong passphrase, and a file that was changed, truncated or extended, before it writes anything', async () => {
    const target = await createEmptyDatabase();
    const there = env(target.url, 'refused');
    const bytes = readFileSync(file);
    const damaged = join(folder, 'damaged.backup');
    const flipped = (at: number) => Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)));
    const variants = [
      flipped(40),
      flipped(bytes.length >> 1),
      flipped(bytes.length - 1),
      bytes.subarray(0, bytes.length - 20),
      bytes.subarray(0, 30),
      Buffer.concat([bytes, bytes.subarray(-100)]),
      Buffer.from('hello'),
    ];
    for (const variant of variants) {
      writeFileSync(damaged, variant);
      expect(await run(['restore', damaged], there)).toMatchObject({ code: 1, out: '' });
    }
    const wrong = await run(['restore', file], there, 'another passphrase of it\n');
    expect(wrong.err).toContain('The passphrase is wrong');
    expect(await contentOf(target.url)).toEqual({});
    await target.drop();
  });

  it('with --verify reads the whole file and writes nothing', async () => {
    const { code, out } = await run(['restore', file, '--verify', '--json'], {
      DATABASE_URL: 'postgresql://u@127.0.0.1:1/x',
    });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ files: 1, keys: 2 });
  });
});

describe('the files of an installation in a bucket', () => {
  /** Contents of files, by id: one byte, a few bytes, and more bytes than one part of a multipart upload has. */
  const contents = new Map([1, 12, 11_000_000].map((size) => [newId(), randomBytes(size)]));
  let buckets: Record<'former' | 'other', S3Server>;
  let saved: string;
  let stored: TestDatabase;
  const inBucket = (name: keyof typeof buckets, url: string) => ({ DATABASE_URL: url, ...buckets[name].settings });
  const settingsOf = (env: Record<string, string>) => ({
    FILES_DIR: undefined,
    FILES_S3_BUCKET: undefined,
    FILES_S3_REGION: 'us-east-1',
    FILES_S3_ENDPOINT: undefined,
    FILES_S3_ACCESS_KEY_ID: undefined,
    FILES_S3_SECRET_ACCESS_KEY: undefined,
    ...env,
  });

  async function expectContents(settings: Record<string, string>): Promise<void> {
    const storage = await openFileStorage(settingsOf(settings));
    for (const [id, bytes] of contents) expect((await buffer(await storage.read(id))).equals(bytes)).toBe(true);
    storage.close();
  }

  beforeAll(async () => {
    const [former, other] = await Promise.all([startS3(join(folder, 's3')), startS3(join(folder, 's3-other'))]);
    buckets = { former, other };
    saved = join(folder, 'bucket.backup');
    stored = await createTestDatabase();
    const admin = ['--email', 'ann@example.com', '--name', 'Ann', '--platform-admin'];
    await run(['users', 'create', ...admin], { DATABASE_URL: stored.url });
    const storage = await openFileStorage(settingsOf(former.settings));
    const db = createDatabase({ url: stored.url, poolMax: 1 });
    const { id: created_by } = await db.prisma.user.findFirstOrThrow();
    const row = { project: 'Core', content_type: 'text/plain', sha256: randomBytes(32), created_by } as const;
    for (const [id, bytes] of contents) {
      await storage.write(id, Readable.from([bytes]));
      await db.prisma.file.create({ data: { id, path: `${id}.txt`, size: bytes.length, ...row } });
    }
    await storage.write(newId(), Readable.from(['a file whose row is not committed yet']));
    await db.close();
    storage.close();
  });
  afterAll(async () => {
    await Promise.all([buckets.former.close(), buckets.other.close(), stored.drop()]);
  });

  it('are in the backup together with their rows', async () => {
    const { code, err, out } = await run(['backup', saved, '--without-keys', '--json'], inBucket('former', stored.url));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({ files: contents.size });
    expect(JSON.parse(out)).not.toHaveProperty('files_without_bytes');
  });

  it('are restored into an empty bucket and into an empty folder, byte for byte', async () => {
    for (const settings of [buckets.other.settings, { FILES_DIR: join(folder, 'from-bucket') }]) {
      const target = await createEmptyDatabase();
      const { code, err, out } = await run(['restore', saved, '--json'], { DATABASE_URL: target.url, ...settings });
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(JSON.parse(out)).toMatchObject({ files: contents.size });
      await expectContents(settings);
      expect((await contentOf(target.url))['files']).toEqual((await contentOf(stored.url))['files']);
      await target.drop();
    }
  });

  it('are not restored into a bucket that already has them: restore fails, but with --without-files it restores only the rows', async () => {
    const target = await createEmptyDatabase();
    const refused = await run(['restore', saved, '--json'], inBucket('other', target.url));
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.err)).toMatchObject({ error: { code: 'not_empty' } });
    const nowhere = await run(['restore', saved, '--json'], { DATABASE_URL: target.url });
    expect(JSON.parse(nowhere.err)).toMatchObject({ error: { code: 'not_empty' } });
    expect(await contentOf(target.url)).toEqual({});
    const { code, err } = await run(['restore', saved, '--without-files', '--json'], { DATABASE_URL: target.url });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect((await contentOf(target.url))['files']).toHaveLength(contents.size);
    await target.drop();
  });

  it('are required for a backup: the backup fails when the bucket cannot be reached or its keys are not set', async () => {
    const target = join(folder, 'unreachable.backup');
    const unreachable = { ...inBucket('former', stored.url), FILES_S3_ENDPOINT: 'http://127.0.0.1:1' };
    expect((await run(['backup', target, '--without-keys'], unreachable)).code).not.toBe(0);
    expect(readdirSync(folder).filter((name) => name.startsWith('unreachable'))).toEqual([]);
    const { code, err } = await run(['backup', target, '--without-keys'], {
      DATABASE_URL: stored.url,
      FILES_S3_BUCKET: 'millwright',
    });
    expect(code).not.toBe(0);
    expect(err).toContain('FILES_S3_ACCESS_KEY_ID');
  });
});
