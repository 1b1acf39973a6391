import { sealAuditLog, recordDecision, type Actor } from '@millwright/audit';
import { createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import type { Job } from '@millwright/jobs';
import { startConsole, type TestConsole } from '../test-console.js';
import { loadTrustedKeys } from './trusted-keys.js';
import { verifyFirstPart, verifyNextParts } from './verify-in-parts.js';

let database: TestDatabase;
let site: TestConsole;
let call: HttpClient;
let actor: Actor;
beforeEach(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url, {});
  const ann = await site.addUser({ email: 'ann@example.com', name: 'Ann', role: 'admin' });
  call = (await site.signIn(ann)).client;
  actor = { userId: ann.id, kind: 'user', label: 'Ann' };
  for (let seal = 0; seal < 25; seal++) {
    await site.db.transaction((tx) => recordDecision(tx, { actor, action: 'test.act', resource: `r${seal}` }));
    await sealAuditLog(site.db, site.signingKey());
  }
});
afterEach(async () => {
  await site.close();
  await database.drop();
});

const keys = () => loadTrustedKeys(site.db, undefined);
const job = { name: 'verify', extension: 'verify-audit', enabled: true, schedule: '* * * * *' } as Job;

/** Requests a verification; the request itself verifies at most one row. @returns the names of the requested jobs */
async function ask(jobs: Job[] = [job]): Promise<string[]> {
  const requested: string[] = [];
  const request = (_tx: unknown, name: string) => {
    requested.push(name);
    return Promise.resolve({ id: '', scheduledAt: new Date() });
  };
  const write = await verifyFirstPart(site.db, await keys(), { jobs, request }, 1);
  await site.db.transaction((tx) => write(tx, actor));
  return requested;
}

/** Runs the job, which saves its place after each part. `dies`: number of parts after which the process of the job dies. */
async function run(dies = Infinity) {
  let parts = 0;
  const step = <Result>(work: Parameters<typeof site.db.transaction<Result>>[0]) => {
    if (parts === dies) throw new Error('the process died');
    parts += 1;
    return site.db.transaction(work);
  };
  let detail: unknown;
  const commit: Parameters<typeof verifyNextParts>[2]['commit'] = async (work) => {
    detail = await site.db.transaction(work);
    return detail as Awaited<ReturnType<typeof commit>>;
  };
  await verifyNextParts(site.db, await keys(), { step, commit, signal: new AbortController().signal }, 1);
  return { parts, detail };
}

const chain = async () => (await call('GET', '/admin/api/audit/chain')).body;

describe('a verification of a long audit log', () => {
  it('is continued by a job; its progress is shown meanwhile, and the faults are reported at the end', async () => {
    expect(await ask()).toEqual(['verify']);
    expect(await chain()).toMatchObject({ verified: 'unchecked', verifying: { verified: 10, seals: 25 } });
    expect(await run()).toEqual({
      parts: 2,
      detail: { verified: 'ok', faults: 0, rows: expect.any(Number) as number, keys: 'database' },
    });
    expect(await chain()).toMatchObject({ verified: 'ok', verifying: null });
  });

  it('continues after the last verified row when a process died, and also reports the faults found before', async () => {
    const { id } = await site.db.prisma.governanceDecision.findFirstOrThrow({ where: { resource: 'r1' } });
    await site.db.transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      await tx.$executeRaw`UPDATE governance_decisions SET reason = 'another' WHERE id = ${id}::uuid`;
    });
    await ask();
    await expect(run(1)).rejects.toThrow('the process died');
    expect(await chain()).toMatchObject({ verifying: { verified: 20 } });
    expect((await run()).parts).toBe(1);
    expect(await chain()).toMatchObject({ verified: 'broken', faults: [{ kind: 'edited', row: id }], verifying: null });
  });

  it('starts only once for two requests, and the job does nothing when nobody requested a verification', async () => {
    expect([await ask(), await ask()]).toEqual([['verify'], []]);
    await run();
    expect(await run()).toEqual({ parts: 0, detail: { verified: null } });
    expect(await site.db.prisma.auditCheck.count()).toBe(1);
  });

  it('is refused when the job that would continue it is missing or disabled', async () => {
    await expect(ask([])).rejects.toMatchObject({ code: 'conflict' });
    await expect(ask([{ ...job, enabled: false }])).rejects.toMatchObject({ code: 'conflict' });
    expect(await chain()).toMatchObject({ verifying: null });
  });
});
