import { Readable } from 'node:stream';
import { decodeId, newId } from '@millwright/db';
import { createLogger } from '@millwright/http/process';
import type { FileStorage } from '@millwright/files';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../test-runtime.js';
import type { UploadedFile } from './files.contract.js';
import { startFileSweep, sweepFiles } from './file-sweep.js';

let database: TestDatabase;
let runtime: TestRuntime;
beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});

const orphan = async () => {
  const id = newId();
  await runtime.storage.write(id, Readable.from([Buffer.from('orphan')]));
  return id;
};
async function stored() {
  const all: string[] = [];
  for await (const ids of runtime.storage.list(new Date(Date.now() + 60_000))) all.push(...ids);
  return all;
}
const now = -60_000;
const sweep = (minAgeMs?: number) =>
  sweepFiles({ db: runtime.db, storage: runtime.storage, ...(minAgeMs !== undefined && { minAgeMs }) });

describe('the sweep of files', () => {
  it('removes stored files for which the database has no row, and no other files', async () => {
    const form = new FormData();
    form.set('path', 'kept');
    form.set('file', new Blob(['kept']));
    const call = runtime.as(await runtime.newToken());
    const { id } = (await call('POST', '/api/v1/files', { body: form })).body as UploadedFile;
    const orphans = [await orphan(), await orphan()];
    expect(await stored()).toEqual(expect.arrayContaining(orphans));
    expect(await sweep(now)).toBe(2);
    expect(await stored()).toEqual([decodeId('fl', id)]);
    expect(await sweep(now)).toBe(0);
  });

  it('keeps files that are younger than an hour, because their row may not be committed yet', async () => {
    const id = await orphan();
    expect(await sweep()).toBe(0);
    expect(await stored()).toContain(id);
  });

  it('stops after the current batch when the process stops, even when there are more files', async () => {
    let batches = 0;
    const ended = Promise.withResolvers<undefined>();
    const storage: FileStorage = {
      ...runtime.storage,
      async *list() {
        for (;;) {
          batches += 1;
          if (batches === 3) void stopSweep().then(() => ended.resolve(undefined));
          yield Promise.resolve([newId()]);
        }
      },
    };
    const logger = createLogger({ service: 'test', level: 'silent', version: 'test' });
    const stopSweep = startFileSweep({ db: runtime.db, storage, logger });
    await ended.promise;
    expect(batches).toBe(3);
  });

  it('does nothing while another process sweeps', async () => {
    const id = await orphan();
    await runtime.db.transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM pg_advisory_xact_lock(hashtextextended('file-sweep', 0))`;
      expect(await sweep(now)).toBe(0);
    });
    expect(await stored()).toContain(id);
    expect(await sweep(now)).toBeGreaterThan(0);
    expect(await stored()).not.toContain(id);
  });
});
