import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { createTestDatabase, startS3, type S3Server, type TestDatabase } from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../../test-runtime.js';
import type { UploadedFile } from '../files.contract.js';
import { scaleSettings } from './config.js';
import { buildUploadServer, type UploadServer } from './test-upload-server.js';

const { megabytes } = scaleSettings();
const MIB = 1_048_576;
/** Memory, in MiB, that buffers and uncollected garbage of streams may use. It does not depend on the size of the file. */
const MAX_GROWTH_MIB = 128;

let database: TestDatabase;
let runtime: TestRuntime;
let folder: string;
let token: string;
let s3: S3Server;
let startServer: (files: object) => Promise<UploadServer>;
let server: UploadServer;

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
  token = await runtime.newToken();
  folder = await mkdtemp(join(tmpdir(), 'upload-memory-'));
  s3 = await startS3(join(folder, 's3'));
  startServer = await buildUploadServer(folder, database.url);
});
afterAll(async () => {
  await s3.close();
  await runtime.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

/** The peak memory of the process in MiB, as Linux reports it. */
async function peakMemory(): Promise<number> {
  const status = await readFile(`/proc/${server.child.pid ?? 0}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
}

const chunk = randomBytes(MIB);

async function upload(size: number): Promise<UploadedFile> {
  const head = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"`;
  const sent = request(`${server.url}/api/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' },
  });
  const answered = once(sent, 'response');
  sent.write(`${head('path')}\r\n\r\nlarge.bin\r\n${head('file')}; filename="x"\r\n\r\n`);
  for (let n = 0; n < size; n += 1) if (!sent.write(chunk)) await once(sent, 'drain');
  sent.end('\r\n--b--\r\n');
  const [answer] = (await answered) as [NodeJS.ReadableStream & { statusCode: number }];
  expect(answer.statusCode).toBe(201);
  return (await json(answer)) as UploadedFile;
}

async function download(id: string): Promise<string> {
  const answer = await fetch(`${server.url}/api/v1/files/${id}`, { headers: { authorization: `Bearer ${token}` } });
  const hash = createHash('sha256');
  for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) hash.update(part);
  return hash.digest('hex');
}

const inLinux = process.platform === 'linux' ? it : it.failing;

describe.each(['a folder', 'a bucket'])('the memory of a process whose files lie in %s', (place) => {
  afterEach(() => server.child.kill('SIGKILL'));

  inLinux(
    `does not grow with an upload and a download of ${megabytes} MiB`,
    async () => {
      server = await startServer(place === 'a folder' ? { FILES_DIR: join(folder, 'files') } : s3.settings);
      await download((await upload(1)).id);
      const before = await peakMemory();
      const file = await upload(megabytes);
      const up = await peakMemory();
      expect(file.size).toBe(megabytes * MIB);
      expect(await download(file.id)).toBe(file.sha256);
      const after = await peakMemory();
      const peaks = [before, up, after].map((mib) => mib.toFixed(0));
      process.stdout.write(
        `${megabytes} MiB, ${place}: peak RSS ${peaks[0]} MiB before, ${peaks[1]} after the upload, ${peaks[2]} after the download\n`,
      );
      expect(after - before).toBeLessThan(MAX_GROWTH_MIB);
    },
    60_000 + megabytes * 500,
  );
});
