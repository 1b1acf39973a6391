import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeId } from '@millwright/db';
import { startS3, type S3Server } from '@millwright/testing';
import pg from 'pg';
import { callers } from '../harness/calls.js';
import { operatorWith } from '../harness/operator.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import { until } from '../harness/until.js';
import { startWriters, type Write, type Writers } from './restore/writes.js';

/*
 * The drill of docs/backup.md: an installation is backed up while clients write, continues, loses its database, files and keys, and is
 * restored by the documented commands into an empty installation.
 */

/** Numbers of acknowledged writes: before the backup, and between the backup and the loss. */
const BEFORE = 300;
const AFTER = 150;

interface Backup {
  taken_at: string;
  bytes: number;
  files: number;
  seconds: number;
}

describe.each(['a folder', 'a bucket'])(
  'with files in %s, an installation that loses its database, its files and its keys',
  (place) => {
    let platform: Platform;
    /** The server of the files; undefined when the files are in a folder. */
    let bucket: S3Server | undefined;
    let call: ReturnType<typeof callers>;
    let writers: Writers;
    let folder: string;
    let file: string;
    let passphrase: string[];
    let backup: Backup;
    let begunAt: number;
    let lostAt: number;

    const millwright = <Result = Record<string, unknown>>(...args: string[]) =>
      operatorWith<Result>({ ...platform.operatorSettings, ...bucket?.settings }, ...args);

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'millwright-restore-'));
      bucket = place === 'a bucket' ? await startS3(join(folder, 's3')) : undefined;
      platform = await startPlatform({ env: { RATE_LIMIT_MULTIPLIER: '1000', ...bucket?.settings } });
      call = callers(platform);
      file = join(folder, 'millwright.backup');
      writeFileSync(join(folder, 'passphrase.txt'), 'a passphrase of the drill\n');
      passphrase = ['--passphrase-file', join(folder, 'passphrase.txt')];
      // This request gets an access token before the loss. After the restore, the token is valid only if the signing key was restored too.
      expect((await call.runtime('/api/v1/files')).status).toBe(200);
      writers = await startWriters(platform);
    });
    afterAll(async () => {
      await writers.stop();
      await platform.stop();
      await bucket?.close();
      rmSync(folder, { recursive: true });
    });

    async function onServer(statements: readonly string[]): Promise<void> {
      const server = new URL(platform.databaseUrl);
      server.pathname = '/postgres';
      const client = new pg.Client({ connectionString: server.href });
      await client.connect();
      for (const statement of statements) await client.query(statement);
      await client.end();
    }

    async function query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
      const client = new pg.Client({ connectionString: platform.databaseUrl });
      await client.connect();
      const { rows } = await client.query<Row>(sql);
      await client.end();
      return rows;
    }

    const count = async (sql: string) => Number((await query<{ n: string }>(`SELECT ${sql} AS n`))[0]?.n);

    /** Deletes everything except the backup, which is stored elsewhere. */
    async function loseEverything(): Promise<void> {
      for (const service of platform.services) service.kill('SIGKILL');
      await Promise.all(platform.services.map((service) => service.terminate()));
      const database = new URL(platform.databaseUrl).pathname.slice(1);
      await onServer([`DROP DATABASE ${database} WITH (FORCE)`, `CREATE DATABASE ${database}`]);
      const { FILES_DIR, KEY_FOLDER } = platform.operatorSettings;
      rmSync(KEY_FOLDER, { recursive: true });
      if (bucket) await bucket.empty();
      else rmSync(FILES_DIR, { recursive: true });
    }

    /** Returns whether the record of a write exists. Checks the content of an existing record. */
    async function isThere({ api, path, contains, sha256 }: Write): Promise<boolean> {
      if (sha256 !== undefined) {
        const headers = { authorization: `Bearer ${platform.apiKey}` };
        const answer = await fetch(platform.runtimeUrl + path, { headers });
        const bytes = Buffer.from(await answer.arrayBuffer());
        if (answer.status === 404) return false;
        expect([answer.status, createHash('sha256').update(bytes).digest('hex')]).toEqual([200, sha256]);
        return true;
      }
      const { status, text } = await call[api](path);
      if (status === 404) return false;
      expect([status, text.includes(contains)]).toEqual([200, true]);
      return true;
    }

    it('is backed up while clients write', async () => {
      await writers.more(BEFORE);
      begunAt = Date.now();
      backup = await millwright<Backup>('backup', file, ...passphrase);
      expect(backup.files).toBeGreaterThan(0);
      await writers.more(AFTER);
      expect([...new Set(writers.refused)]).toEqual([]);
      lostAt = Date.now();
      await loseEverything();
      await writers.stop();
    });

    it('is restored by the documented commands, with the former keys', async () => {
      const restored = await millwright<{ rows: number; files: number; seconds: number }>(
        'restore',
        file,
        ...passphrase,
      );
      await millwright('db', 'migrate', '--roles');
      await Promise.all(platform.services.map((service) => service.start()));
      expect(await until(async () => ((await call.runtime('/api/v1/files')).status === 200 ? true : undefined))).toBe(
        true,
      );
      const written = { name: 'After the restore', description: '', instructions: 'Go on.' };
      expect((await call.platform('/skills', { body: written })).status).toBe(201);
      const rtoMs = Date.now() - lostAt;
      const rpoMs = lostAt - Date.parse(backup.taken_at);
      process.stdout.write(
        `files in ${place}\nbackup: ${backup.seconds} s, ${backup.bytes} bytes, ${backup.files} files, under load\n` +
          `restore: ${restored.seconds} s, ${restored.rows} rows; RTO ${rtoMs / 1_000} s; RPO ${rpoMs / 1_000} s\n`,
      );
    });

    it('has every write that was acknowledged before the backup, and loses only later writes', async () => {
      const known = new Map<string, { made?: Write; deleted?: Write }>();
      for (const write of writers.acknowledged)
        known.set(write.path, { ...known.get(write.path), [write.deletes ? 'deleted' : 'made']: write });
      const endedAt = begunAt + backup.seconds * 1_000;
      const faults: string[] = [];
      const counts = { kept: 0, lost: 0, undone: 0 };
      for (const [path, { made, deleted }] of known) {
        if (!made) throw new Error(`${path} was deleted and never made`);
        const there = await isThere(made);
        const isDeletedBefore = deleted !== undefined && deleted.acknowledgedAt < begunAt;
        if (there && isDeletedBefore) faults.push(`${path} was deleted before the backup`);
        if (there && made.sentAt > endedAt) faults.push(`${path} was made after the backup`);
        // A file that is deleted while the backup reads the files is left out of the backup.
        if (!there && deleted === undefined && made.acknowledgedAt < begunAt) faults.push(`${path} is lost`);
        if (there && deleted) counts.undone += 1;
        else if (there) counts.kept += 1;
        else if (!deleted) counts.lost += 1;
      }
      expect(faults).toEqual([]);
      expect(counts.kept).toBeGreaterThan(BEFORE / 3);
      expect(counts.lost).toBeGreaterThan(0);
      process.stdout.write(
        `${known.size} records were acknowledged: ${counts.kept} are there, ${counts.lost} made after the backup are lost, ` +
          `${counts.undone} files deleted after it are there again\n`,
      );
    });

    it('has no partial record: versions, counts, audit rows and bytes agree', async () => {
      const skills = await count('(SELECT count(*) FROM skills)');
      expect(await count('(SELECT count(*) FROM skill_versions)')).toBe(skills);
      expect(await count("(SELECT count(*) FROM governance_decisions WHERE action = 'skill.create')")).toBe(skills);
      const files = await query<{ id: string }>('SELECT id FROM files');
      for (const { id } of files) {
        expect((await call.runtime(`/api/v1/files/${encodeId('fl', id)}`)).status).toBe(200);
      }
      const loose = await query<{ conname: string }>(
        "SELECT conname FROM pg_constraint WHERE contype = 'f' AND NOT convalidated",
      );
      expect(loose).toEqual([]);
      // Both commands fail when they find a fault.
      await expect(millwright('quotas', 'check')).resolves.toBeDefined();
      await expect(millwright('audit', 'verify')).resolves.toBeDefined();
    });

    it('ends the runs that were executing at the time of the backup', async () => {
      const unfinished = () => count('(SELECT count(*) FROM runs WHERE ended_at IS NULL)');
      await until(async () => ((await unfinished()) === 0 ? true : undefined), 120_000);
      const states = await query<{ state: string }>('SELECT DISTINCT state FROM runs');
      expect(states).toEqual([{ state: 'completed' }]);
    });
  },
);
