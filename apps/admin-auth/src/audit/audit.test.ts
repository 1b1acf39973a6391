import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIssuedKeyFinder } from '@millwright/auth/signing-keys';
import { recordDecision, recordDenial, sealAuditLog, verifyAuditLog, verifyAuditFile } from '@millwright/audit';
import { encodeId, newId } from '@millwright/db';
import { createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole, type TestConsoleOptions } from '../test-console.js';
import { readPinnedKids } from './trusted-keys.js';

interface Page {
  items: { id: string; at: string; action: string; resource: string; user: { email: string } }[];
  total: number;
}

let database: TestDatabase;
let site: TestConsole;
let call: HttpClient;
let ann: { id: string; name: string; project: string };
let bea: typeof ann;

async function start(settings: TestConsoleOptions['settings'] = {}): Promise<void> {
  database = await createTestDatabase();
  site = await startConsole(database.url, { settings });
  ann = await site.addUser({ email: 'ann@example.com', name: 'Ann', role: 'admin' });
  bea = await site.addUser({ email: 'bea@example.com', name: '=HYPERLINK("x")' });
  call = (await site.signIn(ann)).client;
  for (let n = 0; n < 25; n++) {
    const actor = {
      userId: n % 2 ? ann.id : bea.id,
      kind: n % 5 ? 'user' : 'job',
      label: n % 2 ? 'Ann' : '-1+1',
      requestId: `r-${n}`,
    } as const;
    const entry = {
      actor,
      action: 'skill.update',
      resource: `sk_${n}`,
      project: 'Core',
      detail: { n, text: 'a "b",\nc' },
    };
    if (n % 4) await site.db.transaction((tx) => recordDecision(tx, entry));
    else await recordDenial(site.db, entry, '@refused');
  }
}
async function stop(): Promise<void> {
  await site.close();
  await database.drop();
}

const list = async (query: string) => (await call('GET', `/admin/api/audit?${query}`)).body as Page;
const seal = () => sealAuditLog(site.db, site.signingKey());

describe('the read endpoints of the audit log', () => {
  beforeAll(() => start());
  afterAll(stop);

  it('return for GET /admin/api/audit?run= the rows of the calls in that run and the rows about that run', async () => {
    const actor = { userId: ann.id, kind: 'user', label: 'Ann' } as const;
    const entry = { actor, action: 'tool.call', resource: 'pl_1', project: 'Core' };
    await recordDenial(site.db, { ...entry, detail: { run: 'run_a' } }, 'refused');
    await site.db.transaction(async (tx) => {
      await recordDecision(tx, { ...entry, detail: { run: 'run_b' } });
      await recordDecision(tx, { ...entry, action: 'run.cancel', resource: 'run_a' });
    });
    const { items, total } = await list('run=run_a');
    expect([total, items.map(({ action }) => action)]).toEqual([2, ['run.cancel', 'tool.call']]);
    expect(items[0]).not.toHaveProperty('run');
    expect((await list('run=run_c')).total).toBe(0);
  });

  it('return for GET /admin/api/audit/{id} the row in the same form as in the list', async () => {
    const [listed] = (await list('resource=sk_7')).items;
    const { status, body } = await call('GET', `/admin/api/audit/${listed?.id ?? ''}`);
    expect([status, body]).toEqual([200, listed]);
  });

  it.each(['00000000-0000-7000-8000-000000000000', 'sk_7', '0', '%00'])(
    'answer 404 to GET /admin/api/audit/{id} when the id is %s',
    async (id) => {
      expect((await call('GET', `/admin/api/audit/${id}`)).status).toBe(404);
    },
  );
});

describe('GET /admin/api/audit', () => {
  beforeAll(() => start());
  afterAll(stop);

  const record = (action: string, resource: string) =>
    site.db.transaction((tx) =>
      recordDecision(tx, { actor: { userId: ann.id, kind: 'job', label: 'a-job' }, action, resource, project: 'Core' }),
    );

  it('shows, for every action, the current name of the record that the row is about', async () => {
    const agentId = newId();
    const promptId = newId();
    const by = { created_by: ann.id };
    await site.db.prisma.agent.create({
      data: { id: agentId, project: 'Core', slug: 'desk', name: 'Order desk', description: '', ...by },
    });
    await site.db.prisma.prompt.create({
      data: { id: promptId, project: 'Core', title: 'Plan a visit', description: '', author: 'Ann', ...by },
    });
    const itemId = newId();
    await site.db.prisma.contentItem.create({
      data: { id: itemId, project: 'Core', slug: 'hours', title: 'Opening hours', body: 'Sundays.', tags: [], ...by },
    });
    const budgetId = newId();
    await site.db.prisma.budget.create({
      data: {
        ...{ id: budgetId, project: 'Core', name: 'November', level: 'project', period: 'month' },
        ...{ unit: 'usd', amount: 1n, ...by },
      },
    });
    for (const resource of [
      encodeId('ag', agentId),
      encodeId('ct', itemId),
      encodeId('bud', budgetId),
      promptId,
      encodeId('usr', bea.id),
      encodeId('ag', newId()),
      'a-job',
    ])
      await record('mill.turn', resource);
    const { items } = (await list('action=mill.turn')) as unknown as { items: { resource_name: string | null }[] };
    expect(items.map(({ resource_name }) => resource_name).reverse()).toEqual([
      'Order desk',
      'Opening hours',
      'November',
      'Plan a visit',
      '=HYPERLINK("x")',
      null,
      null,
    ]);
  });

  it('omits the rows about runs of jobs when the request excludes these rows', async () => {
    await record('job.run', 'a-job');
    const actions = async (query: string) =>
      new Set((await list(`${query}per_page=100`)).items.map(({ action }) => action));
    expect(await actions('')).toContain('job.run');
    expect(await actions('job_runs=hidden&')).not.toContain('job.run');
  });

  it('lists at /actions each action that occurs in the audit log, once', async () => {
    await record('a.first', 'x');
    await record('a.first', 'y');
    await record('z.last', 'x');
    const { items } = (await call('GET', '/admin/api/audit/actions')).body as { items: string[] };
    expect(items).toEqual([...new Set(items)].sort());
    expect(items).toEqual(expect.arrayContaining(['a.first', 'skill.update', 'z.last']));
  });
});

describe('GET /admin/api/audit?run= on 40,000 rows', () => {
  const ROWS = 40_000;
  /** Number of rows per INSERT. All rows in one INSERT would exceed the statement timeout of 1.9 s. */
  const BATCH = 5_000;

  interface Reads {
    scans: number;
    rows: number;
  }

  /** Returns the number of rows that statements have read through the index by run, and in all other ways. */
  async function reads(): Promise<{ byRun: Reads; otherwise: number }> {
    const [found] = await site.db.prisma.$queryRaw<{ scans: number; rows: number; otherwise: number }[]>`
      SELECT sum(idx_scan) FILTER (WHERE is_run)::int AS scans, sum(idx_tup_read) FILTER (WHERE is_run)::int AS rows,
             (coalesce(sum(idx_tup_read) FILTER (WHERE NOT is_run), 0)
               + (SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'governance_decisions'))::int AS otherwise
        FROM (SELECT *, indexrelname = 'governance_decisions_run_seq_idx' AS is_run FROM pg_stat_user_indexes
               WHERE relname = 'governance_decisions') i`;
    if (!found) throw new Error('the table has no statistics');
    return { byRun: { scans: found.scans, rows: found.rows }, otherwise: found.otherwise };
  }

  beforeAll(async () => {
    await start();
    for (let first = 0; first < ROWS; first += BATCH)
      await database.sql`
        INSERT INTO governance_decisions (id, at, user_id, actor_kind, actor_id, action, resource, decision, detail)
        SELECT gen_random_uuid(), now() - make_interval(secs => ${ROWS}::int - n), ${ann.id}::uuid, 'user', 'Ann', 'tool.call', 'ms_1',
               'allow', CASE WHEN n % 2 = 0 THEN jsonb_build_object('run', 'run_' || n / 8) ELSE '{}' END
          FROM generate_series(${first}::int, ${first + BATCH - 1}::int) n`;
    await database.run('ANALYZE governance_decisions');
  });
  afterAll(stop);

  it('reads only the matching rows, through an index, whether the run, resource or request is old, recent or unknown', async () => {
    const before = await reads();
    for (const [run, total] of [
      ['run_3', 4],
      [`run_${ROWS / 8 - 1}`, 4],
      ['run_none', 0],
    ] as const)
      expect((await list(`run=${run}`)).total).toBe(total);
    for (const filter of ['resource=ms_none', 'request_id=none']) expect((await list(filter)).total).toBe(0);
    // Reads the statistics repeatedly, because PostgreSQL updates those of a connection at most once a second.
    let after = before;
    while (after.byRun.scans < before.byRun.scans + 6) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      await list('run=run_none');
      after = await reads();
    }
    expect(after.byRun.rows - before.byRun.rows).toBeLessThanOrEqual(16);
    expect(after.otherwise).toBe(before.otherwise);
  });

  it('returns a total of at most 10,000, but also returns the pages after the first 10,000 rows', async () => {
    expect((await list('per_page=20')).total).toBe(10_000);
    expect((await list('per_page=20&page=501')).items).toHaveLength(20);
  });
});

describe('GET /admin/api/audit', () => {
  beforeAll(() => start());
  afterAll(stop);

  it('distinguishes two requests for which clients sent the same id, and finds both by that id', async () => {
    const requests = [];
    for (const user of [ann, bea]) {
      const { client } = await site.signIn(user);
      await client('GET', '/admin/api/enterprises', { headers: { 'x-request-id': 'reused' } });
      const row = await site.db.prisma.governanceDecision.findFirst({
        where: { user_id: user.id, action: 'console.access', request_id: { startsWith: 'reused~' } },
      });
      requests.push(row?.request_id ?? '');
    }
    expect(new Set(requests).size).toBe(2);
    expect((await list('request_id=reused')).total).toBe(2);
    expect((await list('request_id=reuse')).total).toBe(0);
    for (const id of requests) expect((await list(`request_id=${id}`)).total).toBe(1);
  });

  it('lists the audit log, latest first, a page at a time', async () => {
    const [first, second] = [
      await list('action=skill.update&per_page=20'),
      await list('action=skill.update&per_page=20&page=2'),
    ];
    expect([first.total, first.items.length, second.items.length]).toEqual([25, 20, 5]);
    expect([...first.items, ...second.items].map(({ resource }) => resource)).toEqual(
      Array.from({ length: 25 }, (_, n) => `sk_${24 - n}`),
    );
    expect(first.items[0]).toEqual({
      id: expect.any(String) as string,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/) as string,
      user: { id: encodeId('usr', bea.id), name: '=HYPERLINK("x")', email: 'bea@example.com' },
      actor_kind: 'user',
      actor_id: '-1+1',
      action: 'skill.update',
      resource: 'sk_24',
      resource_name: null,
      project: 'Core',
      decision: 'deny',
      reason: '@refused',
      request_id: 'r-24',
      ip: null,
      detail: { n: 24, text: 'a "b",\nc' },
    });
  });

  it.each([
    ['user=ANN@example.com', 12],
    ['user=nobody@example.com', 0],
    ['user=usr_0000000000000000000001', 0],
    ['actor_kind=job', 5],
    ['actor=Ann', 12],
    ['resource=sk_3', 1],
    ['decision=deny', 7],
    ['request_id=r-7', 1],
    ['decision=deny&actor=Ann', 0],
    ['from=2001-01-01T00:00:00Z', 25],
    ['to=2001-01-01T00:00:00Z', 0],
    ['from=2999-01-01T00:00:00%2B01:00', 0],
  ])('?%s finds %i rows', async (query, total) => {
    expect((await list(`action=skill.update&${query}`)).total).toBe(total);
  });

  it('finds the rows of a user by id', async () => {
    expect((await list(`action=skill.update&user=${encodeId('usr', ann.id)}`)).total).toBe(12);
  });

  it.each(['from=yesterday', 'decision=maybe', 'actor_kind=system', 'per_page=101', 'page=0', 'actor=a&actor=b'])(
    '?%s is refused with 422',
    async (query) => {
      expect(await call('GET', `/admin/api/audit?${query}`)).toMatchObject({
        status: 422,
        body: { error: { code: 'validation_error' } },
      });
    },
  );
});

describe('GET /admin/api/audit/export', () => {
  beforeEach(() => start());
  afterEach(stop);

  it('streams rows and seals that can be verified completely offline, and audits the export', async () => {
    await seal();
    const { status, headers, text } = await call('GET', '/admin/api/audit/export');
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'application/jsonl',
      'no-store',
    ]);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="audit-[\d-]+\.jsonl"$/);
    const lines = text.trimEnd().split('\n');
    const findings = await verifyAuditFile(lines);
    expect(findings).toMatchObject({ seals: 1, complete: true, end: 'signed', faults: [] });
    expect(findings.rows).toBe(await site.db.prisma.governanceDecision.count());
    expect((await verifyAuditFile(lines.toSpliced(-2, 1))).faults).not.toEqual([]);
    expect(await list('action=audit.export')).toMatchObject({
      total: 1,
      items: [{ user: { email: 'ann@example.com' }, detail: { format: 'jsonl' } }],
    });
  });

  it('contains the rows that match the filters', async () => {
    await seal();
    const { text } = await call('GET', '/admin/api/audit/export?decision=deny&action=skill.update');
    const findings = await verifyAuditFile(text.trimEnd().split('\n'));
    expect(findings).toMatchObject({ rows: 7, complete: false, faults: [] });
  });

  it('returns CSV whose texts a spreadsheet does not run as formulas', async () => {
    const { text, headers } = await call('GET', '/admin/api/audit/export?format=csv&resource=sk_24');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [head, row] = text.split('\r\n');
    expect(head).toBe(
      'id,at,user_id,user_name,user_email,actor_kind,actor_id,action,resource,project,decision,reason,request_id,ip,detail',
    );
    expect(row).toContain(
      `,"'=HYPERLINK(""x"")",bea@example.com,user,'-1+1,skill.update,sk_24,Core,deny,'@refused,r-24,,`,
    );
    expect(row?.endsWith('"{""n"":24,""text"":""a \\""b\\"",\\nc""}"')).toBe(true);
  });

  it.each([['format=xml'], ['from=x'], ['format=csv&format=csv']])(
    '?%s is refused with 422 and not recorded',
    async (query) => {
      expect((await call('GET', `/admin/api/audit/export?${query}`)).status).toBe(422);
      expect((await list('action=audit.export')).total).toBe(0);
    },
  );

  it('answers 405 to other methods', async () => {
    const { status, headers } = await call('POST', '/admin/api/audit/export');
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('the chain of seals', () => {
  beforeEach(() => start());
  afterEach(stop);

  it('is returned with its number of seals, and after a verification also with the result', async () => {
    expect((await call('GET', '/admin/api/audit/chain')).body).toMatchObject({
      batches: 0,
      verified: 'unchecked',
      faults: [],
    });
    await seal();
    expect((await call('POST', '/admin/api/audit/verify')).body).toMatchObject({
      batches: 1,
      verified: 'ok',
      faults: [],
    });
    expect((await call('GET', '/admin/api/audit/chain')).body).toMatchObject({
      batches: 1,
      unsealed: 1,
      verified: 'ok',
    });
    expect(await list('action=audit.verify')).toMatchObject({
      items: [{ detail: { verified: 'ok', faults: 0, keys: 'database' } }],
    });
  });

  it('fails its verification when a row was changed after it was sealed; the result contains the id of that row', async () => {
    await seal();
    const { id } = await site.db.prisma.governanceDecision.findFirstOrThrow({ where: { resource: 'sk_9' } });
    await site.db.transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      await tx.$executeRaw`UPDATE governance_decisions SET reason = 'another' WHERE id = ${id}::uuid`;
    });
    expect((await call('POST', '/admin/api/audit/verify')).body).toMatchObject({
      verified: 'broken',
      faults: [{ kind: 'edited', row: id, seal: 1 }],
    });
    const { faults } = await verifyAuditLog(site.db, createIssuedKeyFinder(site.db, 'admin-auth'));
    expect(faults).toMatchObject([{ kind: 'edited', row: id }]);
  });
});

describe('POST /admin/api/audit/verify with AUDIT_PINNED_KEYS_FILE', () => {
  let folder: string;
  let pinned: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pinned-keys-'));
    pinned = join(folder, 'keys.json');
    await start({ AUDIT_PINNED_KEYS_FILE: pinned });
    const { kid, publicKey } = { kid: site.signingKey().kid, publicKey: createPublicKey(site.privateKey) };
    writeFileSync(pinned, JSON.stringify({ keys: [{ kid, ...publicKey.export({ format: 'jwk' }) }] }));
    await seal();
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await stop();
  });

  const verify = async () => call('POST', '/admin/api/audit/verify');

  it('reports a seal whose key is in the database but not in the file', async () => {
    expect((await verify()).body).toMatchObject({ verified: 'ok', verified_with: 'pinned', faults: [] });
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const public_jwk = { ...publicKey.export({ format: 'jwk' }) } as Record<string, string>;
    await site.db.prisma.signingKey.create({
      data: { kid: 'foreign', issuer: 'admin-auth', public_jwk, retired_at: new Date() },
    });
    await sealAuditLog(site.db, { kid: 'foreign', privateKey });
    expect((await verifyAuditLog(site.db, createIssuedKeyFinder(site.db, 'admin-auth'))).faults).toEqual([]);
    expect((await verify()).body).toMatchObject({
      verified: 'broken',
      verified_with: 'pinned',
      faults: [{ kind: 'seal', seal: 2, reason: expect.stringContaining('foreign is not trusted') as string }],
    });
  });

  it('answers 503 while the file cannot be read, and the result of the last verification stays stored', async () => {
    await verify();
    rmSync(pinned);
    expect(await verify()).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    expect((await call('GET', '/admin/api/audit/chain')).body).toMatchObject({ verified_with: 'pinned' });
  });

  it('requires a file with a key of admin-auth; otherwise admin-auth does not start', async () => {
    expect(await readPinnedKids(pinned)).toEqual([site.signingKey().kid]);
    writeFileSync(pinned, JSON.stringify([{ kid: 'x', issuer: 'runtime-api', public_jwk: {} }]));
    await expect(readPinnedKids(pinned)).rejects.toThrow('AUDIT_PINNED_KEYS_FILE');
    await expect(readPinnedKids(join(folder, 'none.json'))).rejects.toThrow('AUDIT_PINNED_KEYS_FILE');
  });
});
