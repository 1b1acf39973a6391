import { readdir } from 'node:fs/promises';
import { setQuota } from '@millwright/db/quotas';
import { createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../test-runtime.js';

let database: TestDatabase;
let runtime: TestRuntime;
let core: HttpClient;
let commerce: HttpClient;

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
  core = runtime.as(await runtime.newToken());
  commerce = runtime.as(await runtime.newToken({ project: 'Commerce' }));
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});

function upload(call: HttpClient, bytes: number) {
  const form = new FormData();
  form.append('path', 'a.txt');
  form.append('file', new Blob(['x'.repeat(bytes)], { type: 'text/plain' }), 'a.txt');
  return call('POST', '/api/v1/files', { body: form });
}

const limit = (rows: number, bytes: number) =>
  runtime.db.transaction((tx) => setQuota(tx, 'files', { rows, bytes }, 'Core'));

describe('POST /api/v1/files', () => {
  it('answers 413 to a file larger than the rest of the quota, 403 when the quota is used up, and 201 to another project', async () => {
    await limit(10, 100);
    const first = await upload(core, 60);
    expect(first.status).toBe(201);
    expect(await upload(core, 50)).toMatchObject({
      status: 413,
      body: {
        error: {
          code: 'PAYLOAD_TOO_LARGE',
          message:
            'The request is larger than what a quota of the project has left: files: the project may have 100 bytes and has 60 bytes; delete what is no longer needed, or have an operator raise the limit.',
          details: { field: 'files' },
        },
      },
    });
    expect((await upload(core, 40)).status).toBe(201);
    expect(await upload(core, 1)).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
    expect((await upload(commerce, 101)).status).toBe(201);

    expect(await readdir(runtime.filesFolder)).toHaveLength(3); // the refused files have left no bytes

    const { id } = first.body as { id: string };
    expect((await core('DELETE', `/api/v1/files/${id}`)).status).toBe(200);
    expect((await upload(core, 60)).status).toBe(201);
  });

  it('records the refusals of an hour in one audit row, with the time of the last refusal', async () => {
    await limit(0, 0);
    await Promise.all([upload(core, 1), upload(core, 1), upload(core, 1)]);
    const rows = await runtime.db.prisma.governanceDecision.findMany({ where: { action: 'quota.exceed' } });
    expect(rows).toMatchObject([{ decision: 'deny', reason: 'quota', resource: 'files', project: 'Core' }]);
    expect(await runtime.db.prisma.quotaRefusal.count()).toBe(1);
  });
});
