import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { openFileStorage } from '@millwright/files';
import { createTestDatabase, startS3, type S3Server, type TestDatabase } from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../../test-runtime.js';
import { sweepFiles } from '../file-sweep.js';
import { scaleSettings } from './config.js';
import { buildUploadServer, type UploadServer } from './test-upload-server.js';

const { kills } = scaleSettings();
const UPLOADS = 4;
/**
 * The kinds of file storage, each with the size of an upload in bytes. A bucket gets an upload of more than 5 MiB in several parts, so kills also
 * leave unfinished uploads there.
 */
const PLACES = [
  { place: 'a folder', size: 2_000_000 },
  { place: 'a bucket', size: 6_000_000 },
];

let database: TestDatabase;
let runtime: TestRuntime;
let folder: string;
let token: string;
let s3: S3Server;
let startServer: (files: object) => Promise<UploadServer>;

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
  token = await runtime.newToken();
  folder = await mkdtemp(join(tmpdir(), 'upload-kill-'));
  s3 = await startS3(join(folder, 's3'));
  startServer = await buildUploadServer(folder, database.url);
});
afterAll(async () => {
  await runtime.close();
  await s3.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

/** Uploads one file after the other until the process has ended. @returns the acknowledged ids */
async function keepUploading(url: string, bytes: Buffer<ArrayBuffer>, onAnswer: () => void): Promise<string[]> {
  const acknowledged: string[] = [];
  for (;;) {
    const form = new FormData();
    form.set('path', 'a');
    form.set('file', new Blob([bytes]));
    const sent = fetch(`${url}/api/v1/files`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${token}` },
    });
    const answer = await sent
      .then(async (response) => ({ status: response.status, body: (await response.json()) as { id: string } }))
      .catch(() => undefined); // the process has ended
    if (!answer) return acknowledged;
    // A busy machine may answer 503. The file is then not acknowledged.
    if (answer.status === 503) continue;
    expect(answer.status).toBe(201);
    acknowledged.push(answer.body.id);
    onAnswer();
  }
}

describe.each(PLACES)('a process killed amid uploads to $place', ({ place, size }) => {
  it(
    `leaves all acknowledged files, no row without its whole file and, after a sweep, no file without a row (after ${kills} kills)`,
    async () => {
      const bytes = randomBytes(size);
      const digest = createHash('sha256').update(bytes).digest();
      const settings = place === 'a folder' ? { FILES_DIR: join(folder, 'files') } : s3.settings;
      let acknowledged = 0;
      /** Uploads to a new process until `end` resolves, then kills the process. @returns milliseconds of uploading */
      const round = async (end: (firstAnswer: Promise<unknown>) => Promise<unknown>) => {
        const { child, url } = await startServer(settings);
        const began = performance.now();
        let answered: () => void = () => undefined;
        const firstAnswer = new Promise<void>((resolve) => (answered = resolve));
        const uploads = Array.from({ length: UPLOADS }, () => keepUploading(url, bytes, answered));
        await end(firstAnswer);
        const took = performance.now() - began;
        child.kill('SIGKILL');
        acknowledged += (await Promise.all(uploads)).flat().length;
        return took;
      };
      // The first round measures how long an upload takes on this machine. Later kills happen at a random moment within the time of two
      // uploads.
      const took = await round((firstAnswer) => firstAnswer);
      for (let n = 1; n < kills; n += 1) await round(() => sleep(Math.random() * 2 * took));
      expect(acknowledged).toBeGreaterThan(0);
      const rows = await runtime.db.prisma.file.findMany({ where: { size } });
      expect(rows.length).toBeGreaterThanOrEqual(acknowledged);
      const storage = await openFileStorage(settings as Parameters<typeof openFileStorage>[0]);
      for (const { id, sha256 } of rows) {
        expect(digest.equals(sha256)).toBe(true);
        expect((await buffer(await storage.read(id))).equals(bytes)).toBe(true);
      }
      const soon = new Date(Date.now() + 60_000);
      const begun = (await s3.begun()).length;
      const swept = await sweepFiles({ db: runtime.db, storage, minAgeMs: -60_000 });
      const left: string[] = [];
      for await (const ids of storage.list(soon)) left.push(...ids);
      expect(left.sort()).toEqual(rows.map(({ id }) => id).sort());
      expect([await storage.removeBegun(soon), await s3.begun()]).toEqual([0, []]);
      storage.close();
      const parts = place === 'a bucket' ? `, ${begun} of them begun in parts` : '';
      process.stdout.write(
        `${kills} kills, ${place}: ${acknowledged} acknowledged, ${rows.length} rows, ${swept} swept${parts}\n`,
      );
    },
    60_000 + kills * 8_000,
  );
});
