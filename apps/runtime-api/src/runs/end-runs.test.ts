import { disableUser } from '@millwright/accounts';
import { encodeId } from '@millwright/db';
import {
  createFakeModel,
  createTestDatabase,
  type FakeModel,
  type HttpClient,
  type ModelBehaviour,
  type TestDatabase,
} from '@millwright/testing';
import { startRuntime, type TestRuntime, type TestUser } from '../test-runtime.js';
import type { Run, RunDetail } from './runs.contract.js';
import { createTestRuns, type TestRuns } from './test-runs.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let runs: TestRuns;
let asAdmin: HttpClient;
let agentId: string;
let users = 0;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url, { modelTimeoutMs: 60_000 });
  runs = createTestRuns(runtime);
  const admin = await runtime.newUser('grace@example.com', { role: 'admin' });
  asAdmin = runtime.as(await runtime.newToken({ userId: admin.id }));
  ({ id: agentId } = await runtime.newAgent({ name: 'Guide' }));
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

const newUser = () => runtime.newUser(`leaving${(users += 1)}@example.com`);
const path = '/api/v1/runs';
const read = async (id: string) => (await asAdmin('GET', `${path}/${id}`)).body as RunDetail;

async function ended(id: string): Promise<RunDetail> {
  for (;;) {
    const run = await read(id);
    if (run.ended_at !== null) return run;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function waiting(user: TestUser) {
  const run = await runs.start(user, { subject: { kind: 'agent', id: agentId, name: 'guide', version: 1 } });
  await runtime.db.transaction((tx) => runs.runs.wait(tx, run, 'approval'));
  return run;
}

describe('the runs of a user who is disabled', () => {
  it('fail with the code forbidden, whether they execute or wait, and the runs of other users continue', async () => {
    const [leaving, staying] = [await newUser(), await newUser()];
    model.answerWith(() => new Promise<ModelBehaviour>(() => undefined));
    const by = runtime.as(await runtime.newToken({ userId: leaving.id }));
    const { body } = await by('POST', path, { json: { agent: 'guide', content: 'Hello' } });
    const { id } = body as Run;
    const [theirs, other] = [await waiting(leaving), await waiting(staying)];
    while (model.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await runtime.db.transaction((tx) =>
      disableUser(tx, leaving.id, { userId: runtime.owner.id, kind: 'user', label: 'Ada' }, () => undefined),
    );
    const failed = { state: 'failed', error: { code: 'forbidden' } };
    expect(await ended(id)).toMatchObject(failed);
    expect(await ended(theirs.id)).toMatchObject(failed);
    expect(await read(other.id)).toMatchObject({ state: 'waiting' });
    while (model.requests[0]?.aborted !== true) await new Promise((resolve) => setTimeout(resolve, 20));
    const listed = await asAdmin('GET', `${path}?waiting_for=approval&user=${encodeId('usr', leaving.id)}`);
    expect(listed.body).toMatchObject({ items: [] });
  });
});
