import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { newId } from '@millwright/db';
import type { FileStorage } from './file-storage.js';
import { createFolderStorage } from './folder-storage.js';
import { openFileStorage } from './open-file-storage.js';

let folder: string;
let s3: Server;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storage-'));
  s3 = await startS3(join(folder, 's3'));
});
afterAll(async () => {
  s3.closeAllConnections();
  s3.close();
  await rm(folder, { recursive: true });
});

/** It has no types. */
const S3RVER: string = 's3rver';

/** An S3-compatible server with the bucket `millwright`. It takes any signature. */
async function startS3(directory: string): Promise<Server> {
  const { default: S3rver } = (await import(S3RVER)) as {
    default: new (options: object) => {
      configureBuckets: () => Promise<unknown>;
      callback: () => Parameters<typeof createServer>[1];
    };
  };
  const s3rver = new S3rver({ directory, silent: true, configureBuckets: [{ name: 'millwright', configs: [] }] });
  await s3rver.configureBuckets();
  const server = createServer(s3rver.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const settings = {
  FILES_DIR: undefined,
  FILES_S3_BUCKET: undefined,
  FILES_S3_REGION: 'us-east-1',
  FILES_S3_ENDPOINT: undefined,
  FILES_S3_ACCESS_KEY_ID: 'S3RVER',
  FILES_S3_SECRET_ACCESS_KEY: 'S3RVER',
};
const openers: Record<string, () => Promise<FileStorage>> = {
  'a folder': () => openFileStorage({ ...settings, FILES_DIR: join(folder, 'files') }),
  'a bucket': () =>
    openFileStorage({
      ...settings,
      FILES_S3_BUCKET: 'millwright',
      FILES_S3_ENDPOINT: `http://127.0.0.1:${(s3.address() as AddressInfo).port}`,
    }),
};
async function listOf(storage: FileStorage, before: Date) {
  const all: string[] = [];
  for await (const ids of storage.list(before)) all.push(...ids);
  return all;
}
const soon = () => new Date(Date.now() + 60_000);

describe.each(Object.keys(openers))('files in %s', (kind) => {
  let storage: FileStorage;
  beforeAll(async () => {
    storage = await (openers[kind] as () => Promise<FileStorage>)();
  });
  afterAll(() => storage.close());
  const listed = (before: Date) => listOf(storage, before);

  it.each([1, 70_000, 12_000_000])('are read back as %i bytes were written, whole and in part', async (size) => {
    const [id, bytes] = [newId(), randomBytes(size)];
    await storage.write(id, Readable.from(chunksOf(bytes)));
    expect((await buffer(await storage.read(id))).equals(bytes)).toBe(true);
    const end = Math.min(size - 1, 65_600);
    expect((await buffer(await storage.read(id, { start: 0, end }))).equals(bytes.subarray(0, end + 1))).toBe(true);
  });

  it('are gone when removed, and removing them again is no fault', async () => {
    const id = newId();
    await storage.write(id, Readable.from([Buffer.from('a')]));
    await storage.remove([id, newId()]);
    await storage.remove([id]);
    await expect(storage.read(id)).rejects.toThrow();
  });

  it('are not there, and not listed, when their bytes break off', async () => {
    const id = newId();
    async function* broken() {
      yield* chunksOf(randomBytes(6_000_000));
      await Promise.reject(new Error('broken off'));
    }
    await expect(storage.write(id, Readable.from(broken()))).rejects.toThrow('broken off');
    await expect(storage.read(id)).rejects.toThrow();
    expect(await listed(soon())).not.toContain(id);
  });

  it('are listed once they are old enough', async () => {
    const id = newId();
    await storage.write(id, Readable.from([Buffer.from('a')]));
    expect(await listed(soon())).toContain(id);
    expect(await listed(new Date(Date.now() - 60_000))).not.toContain(id);
  });
});

function* chunksOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

describe('a folder', () => {
  it('lists what was begun and is nobody else’s, and removes it', async () => {
    const own = join(folder, 'begun');
    const storage = await createFolderStorage(own);
    const id = newId();
    await writeFile(join(own, `${id}.part`), 'half');
    await writeFile(join(own, 'README'), 'mine');
    expect(await listOf(storage, soon())).toEqual([id]);
    await storage.remove([id]);
    expect(await readdir(own)).toEqual(['README']);
  });

  it('opens nothing by what is no id', async () => {
    const storage = await createFolderStorage(join(folder, 'ids'));
    for (const name of ['../secret', '', 'a', `${newId()}/..`])
      await expect(storage.read(name)).rejects.toThrow('not the id of a file');
  });
});
