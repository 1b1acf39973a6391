import { asRole, newId } from './index.js';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import pg from 'pg';

const TABLES = ['run_events', 'run_steps', 'usage_events'] as const;
const USER = '00000000-0000-7000-8000-000000000001';

let database: TestDatabase;
let owner: pg.Client;
let adminAuth: pg.Client;

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

beforeEach(async () => {
  database = await createTestDatabase();
  owner = await connect(database.url);
  adminAuth = await connect(asRole(database.url, 'admin-auth'));
  await owner.query(
    `INSERT INTO users (id, email, name, webauthn_user_id) VALUES ('${USER}', 'ann@example.com', 'Ann', sha256(''))`,
  );
});
afterEach(async () => {
  await Promise.all([owner.end(), adminAuth.end()]);
  await database.drop();
});

interface Partition {
  partition: string;
  starts_at: Date | null;
  ends_at: Date | null;
  bytes: string;
}

const partitionsOf = async (table: string) =>
  (await owner.query<Partition>('SELECT partition::text, starts_at, ends_at, bytes FROM partitions_of($1)', [table]))
    .rows;

/** Returns a UUIDv7 of a time. */
const idAt = (time: Date) =>
  `${time.getTime().toString(16).padStart(12, '0')}7${newId().replaceAll('-', '').slice(13)}`;

const monthsFromNow = (months: number, day = 1) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day));
};

async function insertUsage(id: string, at = new Date(), project = 'Core'): Promise<void> {
  await owner.query(
    `INSERT INTO usage_events (id, at, project, user_id, kind, subject_id, model, prompt_tokens, completion_tokens)
     VALUES ($1, $2, $3, $4, 'model_run', $4, 'm', 1, 1)`,
    [id, at, project, USER],
  );
}

async function insertRun(id: string): Promise<void> {
  await owner.query(
    `INSERT INTO runs (id, project, user_id, subject_kind, subject_id, subject_name, channel, caller, state, ended_at)
     VALUES ($1, 'Core', $2, 'agent', $2, 'x', 'messages', '{}', 'completed', now())`,
    [id, USER],
  );
  await owner.query(
    "INSERT INTO run_steps (run_id, seq, attempt, kind, outcome) VALUES ($1, 1, 1, 'model', 'succeeded')",
    [id],
  );
  await owner.query("INSERT INTO run_events (run_id, seq, type, data) VALUES ($1, 1, 'run.running', '{}')", [id]);
}

/** Replaces the first partition, which has all past months, by one partition for each month from `first` on. */
async function splitPast(table: string, first: number): Promise<void> {
  const [former] = await partitionsOf(table);
  await owner.query(`DROP TABLE ${former?.partition}`);
  for (let month = first; month < 3; month += 1)
    await owner.query('SELECT make_partition($1, $2, $3)', [table, monthsFromNow(month), monthsFromNow(month + 1)]);
}

const change = async (table: string, kind: 'made' | 'dropped', olderThan: Date | null = null, client = adminAuth) =>
  (
    await client.query<{ starts_at: Date; ends_at: Date }>(
      'INSERT INTO partition_changes (id, table_name, change, older_than) VALUES ($1, $2, $3, $4) RETURNING starts_at, ends_at',
      [newId(), table, kind, olderThan],
    )
  ).rows;

const nameOf = (table: string, month: Date) =>
  `partitions.${table}_${month.toISOString().slice(0, 7).replace('-', '_')}`;

const placeOf = async (table: string, key: string, id: string) =>
  (
    await owner.query<{ name: string }>(`SELECT tableoid::regclass::text AS name FROM ${table} WHERE ${key} = $1`, [id])
  ).rows.map(({ name }) => name);

describe('the partitions by month', () => {
  it('begin with the former table as the first partition, and reach more than three months ahead', async () => {
    for (const table of TABLES) {
      const [former, ...rest] = await partitionsOf(table);
      expect(former).toMatchObject({ starts_at: new Date(0), ends_at: monthsFromNow(3) });
      expect(rest.at(-1)).toMatchObject({ partition: `partitions.${table}_default`, ends_at: null });
      const latest = Math.max(...rest.map(({ ends_at: end }) => end?.getTime() ?? 0));
      const ahead = new Date();
      ahead.setUTCMonth(ahead.getUTCMonth() + 3);
      expect(latest).toBeGreaterThan(ahead.getTime());
    }
  });

  it('contain each row by the time in its id, whatever the time zone of the session; other rows are in the default partition', async () => {
    await splitPast('usage_events', -2);
    await splitPast('run_steps', -2);
    await splitPast('run_events', -2);
    await owner.query("SET TimeZone = 'Pacific/Auckland'");
    for (const [time, place] of [
      [new Date(monthsFromNow(0).getTime() - 1), nameOf('', monthsFromNow(-1))],
      [monthsFromNow(0), nameOf('', monthsFromNow(0))],
      [monthsFromNow(40), 'partitions._default'],
      [monthsFromNow(-40), 'partitions._default'],
    ] as const) {
      const id = idAt(time);
      await insertUsage(id);
      await insertRun(id);
      for (const [table, key] of [
        ['usage_events', 'id'],
        ['run_steps', 'run_id'],
        ['run_events', 'run_id'],
      ] as const)
        expect(await placeOf(table, key, id)).toEqual([place.replace('.', `.${table}`)]);
    }
  });

  it('contain no steps or events of a run after its deletion, and accept none for a run that does not exist', async () => {
    const ids = [idAt(monthsFromNow(0)), idAt(monthsFromNow(3)), idAt(monthsFromNow(40))];
    for (const id of ids) await insertRun(id);
    await owner.query('DELETE FROM runs WHERE id = ANY($1)', [ids]);
    const { rows } = await owner.query('SELECT run_id FROM run_steps UNION ALL SELECT run_id FROM run_events');
    expect(rows).toEqual([]);
    await expect(
      owner.query("INSERT INTO run_events (run_id, seq, type, data) VALUES ($1, 1, 'x', '{}')", [ids[0]]),
    ).rejects.toMatchObject({ code: '23503' });
  });

  it('store no second usage event with the same id, so that usage is recorded once', async () => {
    const id = newId();
    await insertUsage(id);
    const again = await owner.query(
      `INSERT INTO usage_events (id, project, user_id, kind, subject_id, model, prompt_tokens, completion_tokens)
       VALUES ($1, 'Core', $2, 'model_run', $2, 'm', 1, 1) ON CONFLICT (id) DO NOTHING`,
      [id, USER],
    );
    expect(again.rowCount).toBe(0);
  });

  it('cannot be read or dropped by services, which access the rows through the partitioned tables', async () => {
    for (const area of ['admin-auth', 'platform-api', 'prompt-api', 'runtime-api']) {
      const client = await connect(asRole(database.url, area));
      for (const table of TABLES)
        for (const { partition } of await partitionsOf(table)) {
          await expect(client.query(`SELECT FROM ${partition}`)).rejects.toMatchObject({ code: '42501' });
          await expect(client.query(`DROP TABLE ${partition}`)).rejects.toMatchObject({ code: '42501' });
        }
      await client.end();
    }
    const { rows } = await owner.query(
      `SELECT c.relname FROM pg_class c, aclexplode(c.relacl) a
        WHERE c.relnamespace = 'partitions'::regnamespace AND a.grantee <> c.relowner
       UNION SELECT c.relname FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid, aclexplode(t.attacl) a
        WHERE c.relnamespace = 'partitions'::regnamespace AND a.grantee <> c.relowner`,
    );
    expect(rows).toEqual([]);
  });

  it('each have an index for every index of their table', async () => {
    const { rows } = await owner.query(`
      SELECT i.indexrelid::regclass::text AS index, t.inhrelid::regclass::text AS partition
        FROM pg_index i JOIN pg_inherits t ON t.inhparent = i.indrelid
       WHERE NOT EXISTS (
         SELECT FROM pg_inherits p JOIN pg_index c ON c.indexrelid = p.inhrelid
          WHERE p.inhparent = i.indexrelid AND c.indrelid = t.inhrelid AND c.indisvalid)`);
    expect(rows).toEqual([]);
  });
});

describe('the plans of statements on tables with partitions', () => {
  interface Plan {
    'Node Type': string;
    'Relation Name'?: string;
    Plans?: Plan[];
  }
  const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

  /** Lists the scans of partitions, each with its table, in the generic plan of a prepared statement. */
  async function scansOf(statement: string, values: readonly unknown[]): Promise<{ scan: string; table: string }[]> {
    await owner.query("SET enable_seqscan = off; SET plan_cache_mode = 'force_generic_plan'");
    await owner.query(`PREPARE planned AS ${statement}`);
    const list = values.map((value) => (typeof value === 'number' ? value : `'${String(value)}'`)).join(', ');
    const { rows } = await owner.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, COSTS off, FORMAT JSON) EXECUTE planned(${list})`,
    );
    await owner.query('DEALLOCATE planned');
    const nodes = rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan));
    return nodes
      .filter((node) => node['Relation Name'] !== undefined && node['Node Type'].includes('Scan'))
      .map((node) => ({ scan: node['Node Type'], table: node['Relation Name'] ?? '' }));
  }

  it.each([
    ['lists the steps of a run', 'SELECT seq FROM run_steps WHERE run_id = $1::uuid ORDER BY seq'],
    [
      'lists the events of a run',
      'SELECT seq FROM run_events WHERE run_id = $1::uuid AND seq > 3 ORDER BY seq LIMIT 100',
    ],
    ['ends a step of a run', "UPDATE run_steps SET outcome = 'failed' WHERE run_id = $1::uuid AND seq = 1"],
    ['finds a usage event', 'SELECT at FROM usage_events WHERE id = $1::uuid'],
    ['deletes usage events by their ids', 'DELETE FROM usage_events WHERE id = ANY(ARRAY[$1::uuid])'],
  ])('read one partition when the statement %s', async (_, statement) => {
    for (const table of TABLES) await splitPast(table, -3);
    const scans = await scansOf(statement, [idAt(monthsFromNow(-1, 15))]);
    expect(scans.map(({ table }) => table)).toEqual([
      expect.stringMatching(new RegExp(`_${monthsFromNow(-1).toISOString().slice(0, 7).replace('-', '_')}$`)),
    ]);
    expect(scans.map(({ scan }) => scan).filter((scan) => scan === 'Seq Scan')).toEqual([]);
  });

  it.each([
    [
      'adds up the usage of a period',
      "SELECT sum(prompt_tokens) FROM usage_events WHERE project = $1 AND at >= now() - interval '2 days' AND at < now()",
      'Core',
    ],
    [
      'adds up the usage of a version of a prompt',
      "SELECT sum(prompt_tokens) FROM usage_events WHERE subject_id = $1::uuid AND subject_version = 1 AND kind = 'prompt_run'",
      USER,
    ],
    [
      'changes the user of usage events of an erased user',
      'UPDATE usage_events SET user_id = user_id WHERE id = ANY(ARRAY(SELECT id FROM usage_events WHERE user_id = $1::uuid LIMIT 100))',
      USER,
    ],
    [
      'counts the calls of tools in a period',
      "SELECT count(*) FROM run_steps WHERE kind = 'tool' AND server IS NOT NULL AND started_at >= now() - interval '1 day' AND started_at < $1::timestamptz",
      '2100-01-01',
    ],
  ])('use an index of every partition when the statement %s', async (_, statement, value) => {
    for (const table of TABLES) await splitPast(table, -3);
    const scans = await scansOf(statement, [value]);
    expect(scans.length).toBeGreaterThan(1);
    expect(scans.filter(({ scan }) => scan === 'Seq Scan')).toEqual([]);
  });
});

describe('a row inserted into partition_changes', () => {
  it('makes the next partition; once partitions reach three months ahead, it makes none and is not stored', async () => {
    for (const table of TABLES) {
      for (const { partition } of (await partitionsOf(table)).slice(1, -1))
        await owner.query(`DROP TABLE ${partition}`);
      expect(await change(table, 'made')).toEqual([{ starts_at: monthsFromNow(3), ends_at: monthsFromNow(4) }]);
      const more = [];
      for (let [made] = await change(table, 'made'); made; [made] = await change(table, 'made')) more.push(made);
      expect(more.length).toBeLessThanOrEqual(1);
      expect((await partitionsOf(table))[1]).toMatchObject({ partition: nameOf(table, monthsFromNow(3)) });
    }
    const { rowCount } = await owner.query("SELECT FROM partition_changes WHERE change = 'made'");
    expect(rowCount).toBeGreaterThanOrEqual(TABLES.length);
  });

  it('makes one partition; when the insert is repeated, every month without a partition gets one', async () => {
    await splitPast('run_steps', -4);
    for (const { partition, ends_at: end } of await partitionsOf('run_steps'))
      if (end !== null && end > monthsFromNow(-3)) await owner.query(`DROP TABLE ${partition}`);
    while ((await change('run_steps', 'made')).length > 0);
    const starts = (await partitionsOf('run_steps')).map(({ starts_at: start }) => start?.toISOString());
    expect(starts.slice(0, 7)).toEqual([-4, -3, -2, -1, 0, 1, 2].map((month) => monthsFromNow(month).toISOString()));
  });

  it('makes no partition for a month whose rows are in the default partition, but makes the partition of the next month', async () => {
    await splitPast('usage_events', -4);
    for (const { partition, ends_at: end } of await partitionsOf('usage_events'))
      if (end !== null && end > monthsFromNow(-1)) await owner.query(`DROP TABLE ${partition}`);
    const id = idAt(monthsFromNow(-1, 15));
    await insertUsage(id);
    expect(await change('usage_events', 'made')).toEqual([{ starts_at: monthsFromNow(0), ends_at: monthsFromNow(1) }]);
    expect(await placeOf('usage_events', 'id', id)).toEqual(['partitions.usage_events_default']);
  });

  it('makes a partition of a whole year when the table has 36 partitions', async () => {
    await splitPast('run_events', -40);
    for (const { partition, starts_at: start } of await partitionsOf('run_events'))
      if (start !== null && start >= monthsFromNow(-3)) await owner.query(`DROP TABLE ${partition}`);
    expect(await change('run_events', 'made')).toEqual([{ starts_at: monthsFromNow(-3), ends_at: monthsFromNow(9) }]);
    expect(await change('run_events', 'made')).toEqual([]);
  });

  it('drops the empty partitions of past months, the oldest first, except those of months with existing runs', async () => {
    await splitPast('run_steps', -3);
    const run = idAt(monthsFromNow(-2, 15));
    await insertRun(run);
    await owner.query('DELETE FROM run_steps');
    await owner.query(`VACUUM ${nameOf('run_steps', monthsFromNow(-2))}`);
    expect(await change('run_steps', 'dropped')).toEqual([
      { starts_at: monthsFromNow(-3), ends_at: monthsFromNow(-2) },
    ]);
    const rest = new Date().getUTCDate() > 2 ? [monthsFromNow(-1)] : [];
    for (const month of rest) expect((await change('run_steps', 'dropped'))[0]?.starts_at).toEqual(month);
    expect(await change('run_steps', 'dropped')).toEqual([]);
    await owner.query('DELETE FROM runs');
    expect((await change('run_steps', 'dropped'))[0]?.starts_at).toEqual(monthsFromNow(-2));
    expect((await partitionsOf('run_steps')).at(-1)?.partition).toBe('partitions.run_steps_default');
  });

  it('drops a partition with steps only when its whole period is older than the retention', async () => {
    await splitPast('run_steps', -2);
    await insertRun(idAt(monthsFromNow(-2, 20)));
    await owner.query(`DROP TABLE ${nameOf('run_steps', monthsFromNow(-1))}`);
    expect(await change('run_steps', 'dropped')).toEqual([]);
    expect(await change('run_steps', 'dropped', monthsFromNow(-2, 28))).toEqual([]);
    expect(await change('run_steps', 'dropped', monthsFromNow(-1))).toEqual([
      { starts_at: monthsFromNow(-2), ends_at: monthsFromNow(-1) },
    ]);
  });

  it('drops a partition with usage only when every row is older than the retention and than the last day in usage_days', async () => {
    await splitPast('usage_events', -2);
    await owner.query(`DROP TABLE ${nameOf('usage_events', monthsFromNow(-1))}`);
    const id = idAt(monthsFromNow(-2, 20));
    // The run of this usage began in the month of its id and ended in the next month.
    await insertUsage(id, monthsFromNow(-1, 3), 'Commerce');
    const addedUp = (day: Date) =>
      owner.query(
        `INSERT INTO usage_days (project, day, user_id, kind, model, events, prompt_tokens, completion_tokens) VALUES ('Core', $1, $2, 'model_run', 'm', 1, 1, 1)`,
        [day, USER],
      );
    expect(await change('usage_events', 'dropped', monthsFromNow(-1, 5))).toEqual([]);
    await addedUp(monthsFromNow(-1, 3));
    expect(await change('usage_events', 'dropped', monthsFromNow(-1, 5))).toEqual([]);
    await addedUp(monthsFromNow(-1, 4));
    expect(await change('usage_events', 'dropped', monthsFromNow(-1, 2))).toEqual([]);
    expect(await change('usage_events', 'dropped', monthsFromNow(-1, 5))).toHaveLength(1);
  });

  it('drops no partition of the present or the future, whatever the retention', async () => {
    await splitPast('run_events', 0);
    for (const table of TABLES) expect(await change(table, 'dropped', monthsFromNow(100))).toEqual([]);
  });

  it('gives up within a second while a transaction uses the table, and delays other statements no longer than that', async () => {
    await splitPast('run_steps', -3);
    const reader = await connect(database.url);
    await reader.query('BEGIN; SELECT FROM run_steps');
    const began = performance.now();
    const refused = change('run_steps', 'dropped').catch((error: unknown) => error);
    const other = owner.query('SELECT FROM run_steps');
    expect(await refused).toMatchObject({ code: '55P03' });
    await other;
    expect(performance.now() - began).toBeLessThan(1_000);
    await reader.query('COMMIT');
    await reader.end();
    expect(await change('run_steps', 'dropped')).toHaveLength(1);
  });

  it('takes exclusive locks only of the table, the partition and the default partition when it drops a partition', async () => {
    await splitPast('run_steps', -3);
    await adminAuth.query('BEGIN');
    expect(await change('run_steps', 'dropped')).toHaveLength(1);
    const { rows } = await owner.query<{ name: string }>(`
      SELECT l.relation::regclass::text AS name FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
       WHERE l.mode = 'AccessExclusiveLock' AND c.relkind IN ('r', 'p') AND c.relnamespace IN ('public'::regnamespace, 'partitions'::regnamespace)`);
    await adminAuth.query('COMMIT');
    const dropped = nameOf('run_steps', monthsFromNow(-3));
    expect(rows.map(({ name }) => name).sort()).toEqual([dropped, 'partitions.run_steps_default', 'run_steps']);
  });

  it('is refused for every service except admin-auth, and for tables without partitions by month', async () => {
    for (const area of ['platform-api', 'prompt-api', 'runtime-api']) {
      const client = await connect(asRole(database.url, area));
      await expect(change('run_steps', 'made', null, client)).rejects.toMatchObject({ code: '42501' });
      await client.end();
    }
    await expect(change('users', 'dropped', new Date())).rejects.toMatchObject({
      constraint: 'partition_changes_table_name_check',
    });
    await expect(adminAuth.query("SELECT make_partition('run_steps', now(), now())")).rejects.toMatchObject({
      code: '42501',
    });
  });
});
