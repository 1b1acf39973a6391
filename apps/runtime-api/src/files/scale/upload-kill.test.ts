import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, listen, type TestDatabase } from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../../test-runtime.js';
import { sweepFiles } from '../file-sweep.js';
import { createFolderStorage } from '../storage/folder-storage.js';
import { scaleSettings } from './config.js';
import { buildUploadServer, type UploadServer } from './start-upload-server.js';

const { kills } = scaleSettings();
const UPLOADS = 4;
const bytes = randomBytes(2_000_000);
const digest = createHash('sha256').update(bytes).digest('hex');

let database: TestDatabase;
let runtime: TestRuntime;
let folder: string;
let token: string;
let startServer: () => Promise<UploadServer>;

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1', listen);
  token = await runtime.newToken();
  folder = await mkdtemp(join(tmpdir(), 'upload-kill-'));
  startServer = await buildUploadServer(folder, database.url);
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

/** One after the other until the process is gone. @returns the ids that were acknowledged */
async function keepUploading(url: string): Promise<string[]> {
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
      .catch(() => undefined); // the process is gone
    if (!answer) return acknowledged;
    expect(answer.status).toBe(201);
    acknowledged.push(answer.body.id);
  }
}

describe('a process killed amid uploads', () => {
  it(
    `leaves no row without its whole file, no file without a row after the sweep, and loses none it acknowledged, ${kills} times`,
    async () => {
      let acknowledged = 0;
      for (let n = 0; n < kills; n += 1) {
        const { child, url } = await startServer();
        const uploads = Array.from({ length: UPLOADS }, () => keepUploading(url));
        // Any moment of what lasts about as long.
        await sleep(30 + Math.random() * 400);
        child.kill('SIGKILL');
        acknowledged += (await Promise.all(uploads)).flat().length;
      }
      const rows = await runtime.db.prisma.file.findMany();
      expect(rows.length).toBeGreaterThanOrEqual(acknowledged);
      for (const { id, sha256 } of rows) {
        expect(Buffer.from(sha256).toString('hex')).toBe(digest);
        expect((await readFile(join(folder, 'files', id))).equals(bytes)).toBe(true);
      }
      const storage = await createFolderStorage(join(folder, 'files'));
      const swept = await sweepFiles({ db: runtime.db, storage, minAgeMs: -60_000 });
      expect((await readdir(join(folder, 'files'))).sort()).toEqual(rows.map(({ id }) => id).sort());
      process.stdout.write(`${kills} kills: ${acknowledged} acknowledged, ${rows.length} rows, ${swept} files swept\n`);
    },
    60_000 + kills * 5_000,
  );
});
