import { createUser } from '@millwright/accounts';
import type { Caller } from '@millwright/auth';
import { createDatabase, encodeId, newId, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { createRunQueries, type RunQueries } from './runs.queries.store.js';
import { RunListQuery } from './runs.contract.js';

const RUNS = 120_000;
const USERS = 4;
/** Limit of the buffers that one page may read: the buffers of 5,000 runs, of two look-ups of steps for each run, and of the indexes. */
const MOST_BUFFERS = 60_000;

let database: TestDatabase;
let db: Database;
let queries: RunQueries;
let admin: Caller;
let user: Caller;
const agent = newId();
/** The statements that a call of `queries` makes. */
const statements: { text: string; values: readonly unknown[] }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 2 });
  const account = { role: 'user', platformAdmin: false, project: 'Core' } as const;
  for (let n = 0; n < USERS; n += 1)
    await db.transaction((tx) => createUser(tx, { ...account, email: `u${n}@example.com`, name: `User ${n}` }));
  const users = (await db.prisma.user.findMany({ orderBy: { email: 'asc' } })).map(({ id }) => id);
  // Inserts one run for each second up to now. Ids begin with the time, like UUIDv7. Few of the runs are failed or active.
  await database.run(
    `
      WITH added AS (
        INSERT INTO runs (id, project, user_id, subject_kind, subject_id, subject_name, subject_version, channel, caller, state,
                          ended_at, waiting_for, error_code, step_count, tool_call_count, queued_at, started_at)
        SELECT (lpad(to_hex((extract(epoch FROM t) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3)
                  || '8' || substr(md5(n::text), 4, 15))::uuid,
               CASE WHEN n % 2 = 0 THEN 'Core' ELSE 'Commerce' END, ($1::uuid[])[1 + n % $2::int], 'agent',
               CASE WHEN n % 100 = 0 THEN $3::uuid ELSE gen_random_uuid() END, 'agent', 1, 'messages', '{}',
               s, CASE WHEN s IN ('completed', 'failed') THEN t END, CASE WHEN s = 'waiting' THEN 'outcome' END,
               CASE WHEN s = 'failed' THEN 'unavailable' END, 2, 1, t, t
          FROM generate_series(0, $4::int - 1) n,
               LATERAL (SELECT now() - make_interval(secs => $4::int - n) AS t,
                               CASE WHEN n % 10000 = 0 THEN 'failed' WHEN n % 10000 = 2 THEN 'waiting' ELSE 'completed' END AS s) x
        RETURNING id)
      INSERT INTO run_steps (run_id, seq, attempt, kind, outcome, tool)
      SELECT id, seq, 1, CASE seq WHEN 1 THEN 'model' ELSE 'tool' END, 'succeeded', CASE seq WHEN 2 THEN 'weather' END
        FROM added, generate_series(1, 2) seq`,
    [users, USERS, agent, RUNS],
  );
  const context = newId();
  await db.prisma.context.create({ data: { id: context, project: 'Core', user_id: users[0] ?? '' } });
  await database.sql`
    INSERT INTO context_messages (id, context_id, seq, role, content)
    SELECT gen_random_uuid(), ${context}::uuid, n, 'user', 'Hello' FROM generate_series(1, 5000) n`;
  await database.run('ANALYZE context_messages, runs, run_steps');
  const callerOf = (id: string, scopes: string[]): Caller => ({
    project: 'Core',
    actor: { userId: id, kind: 'user', label: 'User' },
    scopes: new Set(scopes),
  });
  [admin, user] = [callerOf(users[0] ?? '', ['runs:read', 'runs:read_all']), callerOf(users[2] ?? '', ['runs:read'])];
  const prepared: Database['prepared'] = (name, text, values) => {
    statements.push({ text, values });
    return db.prepared(name, text, values);
  };
  queries = createRunQueries({ ...db, prepared, reads: { prepared } });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Loops': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/**
 * Returns the scans of whole tables that were executed. Scans of partitions that PostgreSQL skips are not returned, because they were not
 * executed.
 */
const sequentialScans = (plan: Plan): Plan[] =>
  nodesOf(plan).filter((node) => node['Node Type'] === 'Seq Scan' && node['Actual Loops'] > 0);

/** Query plans of the statements on runs and steps. Each plan states the number of rows read. */
async function plansOf(call: () => Promise<unknown>): Promise<Plan[]> {
  statements.length = 0;
  await call();
  const plans: Plan[] = [];
  for (const { text, values } of statements.filter(({ text: statement }) => /\bruns\b|\brun_steps\b/.test(statement))) {
    const [row] = await db.prepared<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `plan-${newId()}`,
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
      values,
    );
    const plan = row?.['QUERY PLAN'][0]?.Plan;
    if (plan) plans.push(plan);
  }
  expect(plans.length).toBeGreaterThan(0);
  return plans;
}

const filters: [string, Record<string, string>][] = [
  ['no filter', {}],
  ['the state completed', { state: 'completed' }],
  ['the state failed', { state: 'failed' }],
  ['the state waiting', { state: 'waiting' }],
  ['a wait for a decision of a person', { waiting_for: 'approval,connection,input,outcome' }],
  ['a wait for a budget', { waiting_for: 'budget' }],
  ['the state running, of which there is none', { state: 'running' }],
  ['an agent', { agent: encodeId('ag', agent) }],
  ['a name that no agent has', { agent: 'nobody' }],
  ['a conversation without runs', { conversation_id: newId() }],
  ['a tool that was never called', { tool: 'nothing' }],
  ['errors', { has_error: 'true' }],
  ['a cost that no run has', { min_cost: '5' }],
  ['a duration that no run has', { min_duration: '5' }],
  [
    'a channel, a model and a period',
    { channel: 'a2a', model: 'x', since: '2020-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z' },
  ],
];

describe('GET /api/v1/runs on 120,000 runs', () => {
  it.each(filters)(
    'with %s reads only indexes and at most a bounded part of the runs, for users and for admins',
    async (_name, query) => {
      for (const caller of [admin, user]) {
        for (const plan of await plansOf(() => queries.list(caller, RunListQuery.parse(query)))) {
          const scans = sequentialScans(plan);
          expect(scans.filter((node) => /^runs|run_steps/.test(node['Relation Name'] ?? ''))).toEqual([]);
          expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(MOST_BUFFERS);
        }
      }
    },
  );

  it('finds the run that waits for a person when 6,000 later runs wait for budgets', async () => {
    const [oldest] = await db.prisma.run.findMany({
      where: { state: 'completed', project: 'Core' },
      orderBy: { id: 'asc' },
      take: 1,
    });
    const waits = { state: 'waiting', waiting_for: 'approval', ended_at: null };
    await db.prisma.run.update({ where: { id: oldest?.id ?? '' }, data: waits });
    await database.sql`
      UPDATE runs SET state = 'waiting', waiting_for = 'budget', ended_at = NULL
       WHERE id IN (SELECT id FROM runs WHERE state = 'completed' AND project = 'Core' ORDER BY id DESC LIMIT 6000)`;
    const query = RunListQuery.parse({ waiting_for: 'approval,connection' });
    const { items, next_cursor } = await queries.list(admin, query);
    await database.sql`
      UPDATE runs SET state = 'completed', waiting_for = NULL, ended_at = now() WHERE waiting_for IN ('approval', 'budget')`;
    expect(items.map(({ id }) => id)).toEqual([encodeId('run', oldest?.id ?? '')]);
    expect(next_cursor).toBeNull();
  });

  it('ends a page after scanning 5,000 runs; the cursors of all pages lead through all runs once', async () => {
    const found: string[] = [];
    let pages = 0;
    let cursor: string | null = null;
    do {
      const page = await queries.list(
        admin,
        RunListQuery.parse({ has_error: 'true', ...(cursor !== null && { cursor }) }),
      );
      found.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
      pages += 1;
    } while (cursor !== null && pages < 100);
    expect(new Set(found).size).toBe(found.length);
    expect(found).toHaveLength(RUNS / 10_000);
    expect(pages).toBe(RUNS / 2 / 5_000 + 1);
  });
});

describe('one run of 120,000', () => {
  it('is read with its steps by primary key', async () => {
    const [run] = (await queries.list(admin, RunListQuery.parse({ limit: 1 }))).items;
    const id = run?.id ?? '';
    const reads = async () => [
      await queries.find(admin, id),
      await queries.steps(admin, id, { limit: 50 }),
      await queries.step(admin, id, '1'),
    ];
    for (const plan of await plansOf(reads)) {
      expect(sequentialScans(plan).filter((node) => node['Relation Name'] !== 'users')).toEqual([]);
      expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(100);
    }
  });
});
