import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CreateMultipartUploadCommand, S3Client } from '@aws-sdk/client-s3';
import { newId } from '@millwright/db';
import { startS3, type S3Server } from '@millwright/testing';
import { NoSuchFile, type FileStorage } from './file-storage.js';
import { createFolderStorage } from './folder-storage.js';
import { openFileStorage } from './open-file-storage.js';

let folder: string;
let s3: S3Server;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storage-'));
  s3 = await startS3(join(folder, 's3'));
});
afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true });
});

const settings = {
  FILES_DIR: undefined,
  FILES_S3_BUCKET: undefined,
  FILES_S3_REGION: 'us-east-1',
  FILES_S3_ENDPOINT: undefined,
  FILES_S3_ACCESS_KEY_ID: undefined,
  FILES_S3_SECRET_ACCESS_KEY: undefined,
};
const openers: Record<string, () => Promise<FileStorage>> = {
  'a folder': () => openFileStorage({ ...settings, FILES_DIR: join(folder, 'files') }),
  'a bucket': () => openFileStorage({ ...settings, ...s3.settings }),
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

  it('are in a storage whose check succeeds', () => expect(storage.check()).resolves.toBeUndefined());

  it.each([1, 70_000, 12_000_000])(
    'are read with the same %i bytes that were written, as a whole and as a range',
    async (size) => {
      const [id, bytes] = [newId(), randomBytes(size)];
      await storage.write(id, Readable.from(chunksOf(bytes)));
      expect((await buffer(await storage.read(id))).equals(bytes)).toBe(true);
      const end = Math.min(size - 1, 65_600);
      expect((await buffer(await storage.read(id, { start: 0, end }))).equals(bytes.subarray(0, end + 1))).toBe(true);
    },
  );

  it('are removed, and removing them again succeeds', async () => {
    const id = newId();
    await storage.write(id, Readable.from([Buffer.from('a')]));
    await storage.remove([id, newId()]);
    await storage.remove([id]);
    await expect(storage.read(id)).rejects.toThrow(NoSuchFile);
    await expect(storage.read(id, { start: 0, end: 0 })).rejects.toThrow(NoSuchFile);
  });

  it('do not exist and are not listed after a failed write', async () => {
    const id = newId();
    async function* broken() {
      yield* chunksOf(randomBytes(6_000_000));
      await Promise.reject(new Error('broken off'));
    }
    await expect(storage.write(id, Readable.from(broken()))).rejects.toThrow('broken off');
    await expect(storage.read(id)).rejects.toThrow();
    expect(await listed(soon())).not.toContain(id);
    expect(await storage.removeBegun(soon())).toBe(0);
  });

  it('are listed only when they are older than the given time', async () => {
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
  it('removes old unfinished writes and no files of other programs', async () => {
    const own = join(folder, 'begun');
    const storage = await createFolderStorage(own);
    await writeFile(join(own, `${newId()}.part`), 'half');
    for (const name of ['README', 'README.part']) await writeFile(join(own, name), 'mine');
    expect(await listOf(storage, soon())).toEqual([]);
    expect(await storage.removeBegun(new Date(Date.now() - 60_000))).toBe(0);
    expect(await storage.removeBegun(soon())).toBe(1);
    expect((await readdir(own)).sort()).toEqual(['README', 'README.part']);
  });

  it('opens no file for an invalid id', async () => {
    const storage = await createFolderStorage(join(folder, 'ids'));
    for (const name of ['../secret', '', 'a', `${newId()}/..`])
      await expect(storage.read(name)).rejects.toThrow('not the id of a file');
  });
});

describe('the check of a storage', () => {
  it.each([
    ['a bucket that does not exist', () => openFileStorage({ ...settings, ...s3.settings, FILES_S3_BUCKET: 'other' })],
    [
      'a folder that is gone',
      async () => {
        const own = join(folder, 'gone');
        const storage = await createFolderStorage(own);
        await rm(own, { recursive: true });
        return storage;
      },
    ],
  ])('fails for %s', async (_name, open) => {
    const storage = await open();
    await expect(storage.check()).rejects.toThrow();
    storage.close();
  });
});

describe('a bucket', () => {
  it('aborts old unfinished multipart uploads and no uploads of other programs', async () => {
    const storage = await (openers['a bucket'] as () => Promise<FileStorage>)();
    const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
    const endpoint = s3.settings['FILES_S3_ENDPOINT'] ?? '';
    const client = new S3Client({ region: 'us-east-1', credentials, endpoint, forcePathStyle: true });
    for (const Key of [`files/${newId()}`, `files/${newId()}`, 'files/README'])
      await client.send(new CreateMultipartUploadCommand({ Bucket: 'millwright', Key }));
    expect(await storage.removeBegun(new Date(Date.now() - 60_000))).toBe(0);
    expect(await storage.removeBegun(soon())).toBe(2);
    expect(await s3.begun()).toEqual(['files/README']);
    client.destroy();
    storage.close();
  });
});
