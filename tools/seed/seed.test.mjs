// @ts-check
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { ensureTemplateDatabase } from '../jest/template-database.mjs';
import { startTemporaryPostgres } from '../temporary-postgres.mjs';
import { figuresOf } from './figures.mjs';
import { SeedRefused } from './refusals.mjs';
import { partsOf } from './runs.mjs';
import { runSeed, seed, targetOf } from './run-seed.mjs';
import { UNFILLED } from './unfilled.mjs';

const { createIssuedKeyFinder } = await import('@millwright/auth/signing-keys');
const { verifyAuditLog } = await import('@millwright/audit');
const { createDatabase, encodeId } = await import('@millwright/db');

const SCALE = 0.02;
const UNTIL = new Date('2026-03-31T15:00:00Z');
const options = {
  ...{ scale: SCALE, until: UNTIL, secretsKeys: `k1:${Buffer.alloc(32, 1).toString('base64')}`, add: false },
  say: () => undefined,
};

/** @type {Awaited<ReturnType<typeof startTemporaryPostgres>>} */
let postgres;
/** @type {pg.Client} */
let client;
let url = '';
before(async () => {
  postgres = await startTemporaryPostgres();
  await ensureTemplateDatabase(postgres.url);
  url = await newDatabase('seeded');
  await seed({ url, ...options });
  client = await connect(url);
});
after(async () => {
  await client.end();
  await postgres.stop();
});

/** @param {string} address */
async function connect(address) {
  const connected = new pg.Client({ connectionString: address });
  await connected.connect();
  return connected;
}

/** @param {string} name @param {string} [template] @returns {Promise<string>} its URL */
async function newDatabase(name, template = 'TEMPLATE millwright_template') {
  const server = await connect(postgres.url);
  await server.query(`CREATE DATABASE ${name} ${template}`);
  await server.end();
  const address = new URL(postgres.url);
  address.pathname = `/${name}`;
  return address.href;
}

/** @param {string} text @param {unknown[]} [values] @returns {Promise<any[]>} */
const rowsOf = async (text, values) => (await client.query(text, values)).rows;

const TABLES = `
  SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace AND relname <> '_prisma_migrations'
   ORDER BY 1`;

/** Returns the tables without a row. @param {pg.Client} of */
async function emptyTables(of) {
  const empty = [];
  for (const { name } of (await of.query(TABLES)).rows)
    if ((await of.query(`SELECT FROM "${name}" LIMIT 1`)).rowCount === 0) empty.push(name);
  return empty;
}

describe('the tables of the schema', () => {
  it('each have rows, or a reason why they have none', async () => {
    assert.deepEqual(await emptyTables(client), Object.keys(UNFILLED).sort());
  });

  it('are reported when they have neither rows nor a reason', async () => {
    await client.query('CREATE TABLE notes (id uuid)');
    const unnamed = (await emptyTables(client)).filter((name) => !(name in UNFILLED));
    await client.query('DROP TABLE notes');
    assert.deepEqual(unnamed, ['notes']);
  });
});

describe('the rows', () => {
  it('are the same in two seeds with the same scale and end time, except for secrets and seals', async () => {
    const again = await newDatabase('again');
    await seed({ url: again, ...options });
    const other = await connect(again);
    const differing = [];
    for (const { name } of await rowsOf(TABLES)) {
      if (['audit_seals', 'signing_keys', 'webhooks', 'triggers', 'quota_usage', 'tool_policies'].includes(name))
        continue;
      const digest = `SELECT count(*) AS n, md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))) AS digest FROM "${name}" t`;
      const [here, there] = await Promise.all([client.query(digest), other.query(digest)]);
      if (here.rows[0].digest !== there.rows[0].digest) differing.push(name);
    }
    await other.end();
    assert.deepEqual(differing, []);
  });

  it('refer to rows that exist', async () => {
    const references = await rowsOf(`
      SELECT conrelid::regclass::text AS child, confrelid::regclass::text AS parent, conname AS name,
             (SELECT string_agg(format('c.%I = p.%I', a.attname, b.attname), ' AND ') FROM unnest(conkey, confkey) k (x, y)
                JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = x JOIN pg_attribute b ON b.attrelid = confrelid AND b.attnum = y) AS matches,
             (SELECT string_agg(format('c.%I IS NOT NULL', a.attname), ' AND ') FROM unnest(conkey) x JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = x) AS present
        FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`);
    const broken = [];
    for (const { child, parent, name, matches, present } of references) {
      const lost = await client.query(
        `SELECT FROM ${child} c WHERE ${present} AND NOT EXISTS (SELECT FROM ${parent} p WHERE ${matches}) LIMIT 1`,
      );
      if (lost.rowCount) broken.push(name);
    }
    assert.ok(references.length > 100);
    assert.deepEqual(broken, []);
  });

  it('have correct stored counts: steps, tool calls and events of runs, messages, totals of lists, usage by day', async () => {
    const wrong = await rowsOf(`
      SELECT 'steps' AS what FROM runs r WHERE step_count <> (SELECT count(*) FROM run_steps s WHERE s.run_id = r.id)
      UNION SELECT 'calls' FROM runs r WHERE tool_call_count <> (SELECT count(*) FROM run_steps s WHERE s.run_id = r.id AND s.kind = 'tool')
      UNION SELECT 'events' FROM runs r WHERE event_count <> (SELECT max(seq) FROM run_events e WHERE e.run_id = r.id)
      UNION SELECT 'messages' FROM contexts c WHERE held_rows <> (SELECT max(seq) FROM context_messages m WHERE m.context_id = c.id)
      UNION SELECT 'answers' FROM runs r WHERE context_id IS NOT NULL AND state = 'completed' AND NOT EXISTS (SELECT FROM context_messages m WHERE m.id = r.answer_id AND m.context_id = r.context_id)
      UNION SELECT 'total of prompts' FROM (SELECT sum(n) AS n FROM record_counts WHERE kind = 'prompts') c WHERE n <> (SELECT count(*) FROM prompts)
      UNION SELECT 'total of conversations' FROM (SELECT sum(n) AS n FROM record_counts WHERE kind = 'conversations') c WHERE n <> (SELECT count(*) FROM conversations)
      UNION SELECT 'usage' FROM (SELECT sum(events) AS n FROM usage_days) d WHERE n <> (SELECT count(*) FROM usage_events)`);
    assert.deepEqual(wrong, []);
  });

  it('of runs have times within the seeded period, in the order of the ids', async () => {
    const [{ first, last, ordered }] = await rowsOf(`
      SELECT min(queued_at) AS first, max(queued_at) AS last, bool_and(ordered) AS ordered
        FROM (SELECT queued_at, queued_at >= lag(queued_at, 1, queued_at) OVER (ORDER BY id) AS ordered FROM runs) r`);
    assert.ok(first >= new Date(UNTIL.getTime() - 90 * 86_400_000) && last < UNTIL, `${first} to ${last}`);
    assert.equal(ordered, true);
  });

  it('of events have run ids in the public form that libs/db encodes', async () => {
    const found = await rowsOf(
      "SELECT r.id, e.subject FROM events e JOIN runs r ON e.data ->> 'run' = e.subject AND e.created_at = r.ended_at WHERE r.state <> 'completed' LIMIT 20",
    );
    assert.ok(found.length > 0);
    for (const { id, subject } of found) assert.equal(subject, encodeId('run', id));
  });
});

describe('the audit log', () => {
  it('is sealed and verified with the keys of the database', async () => {
    const db = createDatabase({ url, poolMax: 2 });
    const findings = await verifyAuditLog(db, createIssuedKeyFinder(db, 'admin-auth'));
    await db.close();
    const [{ rows }] = await rowsOf('SELECT count(*)::int AS rows FROM governance_decisions');
    assert.ok(rows > 1_000);
    assert.deepEqual(findings, {
      rows,
      seals: Math.ceil(rows / 1_000),
      unsealed: 0,
      erased: 0,
      removed: 0,
      faults: [],
    });
  });

  it('is in the order of time, and its column `run` equals the run in the details of each row', async () => {
    const [{ ordered, named }] = await rowsOf(`
      SELECT bool_and(at >= before) AS ordered, bool_and(run IS NOT DISTINCT FROM detail ->> 'run') AS named
        FROM (SELECT at, run, detail, lag(at, 1, at) OVER (ORDER BY seq) AS before FROM governance_decisions) d`);
    assert.deepEqual({ ordered, named }, { ordered: true, named: true });
  });

  it('is signed by a key that signs nothing else', async () => {
    assert.deepEqual(await rowsOf('SELECT issuer, retired_at <= now() AS retired FROM signing_keys'), [
      { issuer: 'admin-auth', retired: true },
    ]);
  });
});

describe('a seed is refused', () => {
  const refused = (/** @type {RegExp} */ message) => (/** @type {unknown} */ error) =>
    error instanceof SeedRefused && message.test(error.message);

  it('for a database that was seeded before, even with --add', async () => {
    await assert.rejects(seed({ url, ...options, add: true }), refused(/was seeded before/));
  });

  it('for a database with other records, unless --add is given', async () => {
    const used = await newDatabase('used');
    const other = await connect(used);
    await other.query(
      "INSERT INTO users (id, email, name, webauthn_user_id) VALUES (gen_random_uuid(), 'ann@example.com', 'Ann', sha256('a'))",
    );
    await other.query(
      "INSERT INTO skills (id, project, name, description, instructions, created_by) SELECT gen_random_uuid(), 'Core', 'Own', '', 'x', id FROM users",
    );
    await other.query(
      "INSERT INTO record_counts (project, kind, status, slot, n) VALUES ('Core', 'skills', 'active', 3, 1)",
    );
    await assert.rejects(seed({ url: used, ...options }), refused(/is in use: it has records in skills/));
    await seed({ url: used, ...options, add: true });
    const { rows } = await other.query(
      "SELECT (SELECT count(*)::int FROM skills) AS skills, (SELECT sum(n)::int FROM record_counts WHERE kind = 'skills') AS total",
    );
    await other.end();
    assert.deepEqual(rows, [{ skills: figuresOf(SCALE).skills + 1, total: figuresOf(SCALE).skills + 1 }]);
  });

  it('for a database without the schema', async () => {
    await assert.rejects(seed({ url: await newDatabase('bare', ''), ...options }), refused(/lacks \d+ migrations/));
  });

  it('in production, and when DATABASE_URL is not set', () => {
    assert.throws(() => targetOf({ NODE_ENV: 'production', DATABASE_URL: url }), refused(/NODE_ENV/));
    assert.throws(() => targetOf({}), refused(/DATABASE_URL/));
  });

  it('for an unknown scale', async () => {
    assert.equal(await runSeed(['--scale', '2']), 2);
  });
});

describe('a seed', () => {
  it('with the scale 100 creates more than ten million events of runs, in batches of at most 20,000 runs', () => {
    const figures = figuresOf(100);
    const parts = partsOf(figures);
    assert.equal(parts.at(-1)?.end, figures.runs);
    assert.ok(parts.every(({ first, end }) => end - first <= 20_000));
    // Each run has three events, and each tool call has two. Four of five runs have calls: 2.35 in the mean.
    assert.ok(figures.runs * (3 + 2 * 2.35 * 0.8) > 10_000_000);
  });
});
