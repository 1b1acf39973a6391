// @ts-check
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startTemporaryPostgres } from '../temporary-postgres.mjs';
import { growingStatements } from './growing-statements.mjs';
import { isKnownGrowth } from './known-growth.mjs';
import { recordedStatements } from './recorded-statements.mjs';
import { createSizedDatabase } from './sized-database.mjs';

/** @type {Awaited<ReturnType<typeof startTemporaryPostgres>>} */
let postgres;
/** @type {Awaited<ReturnType<typeof createSizedDatabase>>} */
let database;
before(async () => {
  postgres = await startTemporaryPostgres({ autovacuum: 'off' });
  database = await createSizedDatabase(postgres.url);
});
after(async () => {
  await database.client.end();
  await postgres.stop();
});

/** @param {string} statement */
const grows = async (statement) => {
  const { growing, unplanned } = await growingStatements(database, [statement]);
  assert.deepEqual(unplanned, []);
  return growing.length > 0;
};

describe('a statement whose cost grows', () => {
  for (const statement of [
    'SELECT * FROM runs WHERE channel = $1',
    'SELECT count(*) FROM usage_events WHERE project = $1',
    'SELECT * FROM oauth_grants WHERE user_id = $1 AND revoked_at IS NULL',
    'SELECT * FROM runs WHERE project = $1 ORDER BY ended_at LIMIT $2',
    'DELETE FROM metric_hours WHERE hour < $1',
    'SELECT 1 FROM agents WHERE id = $1 OR id IN (SELECT agent_id FROM agent_skills WHERE skill_id = $2)',
    'UPDATE run_steps SET outcome = NULL WHERE run_id <> $1',
  ]) {
    it(`is reported: ${statement}`, async () => {
      assert.equal(await grows(statement), true);
    });
  }
});

describe('a statement whose cost does not grow with the table', () => {
  for (const statement of [
    'SELECT * FROM runs WHERE id = $1',
    'SELECT * FROM run_steps WHERE run_id = $1 ORDER BY seq',
    'SELECT * FROM usage_events WHERE id = $1',
    'SELECT * FROM skills WHERE project = $1 ORDER BY created_at DESC, id DESC LIMIT $2',
    'DELETE FROM idempotency_keys WHERE id = ANY(ARRAY(SELECT id FROM idempotency_keys WHERE expires_at < now() ORDER BY expires_at LIMIT $1))',
    'SELECT * FROM content_items WHERE left(body, 20000) ILIKE $1',
    "SELECT * FROM governance_decisions WHERE request_id LIKE ($1 || '%')",
    "SELECT id FROM runs WHERE state = 'queued' ORDER BY id LIMIT 10",
    "SELECT * FROM job_runs WHERE job = $1 AND tick > now() - interval '1 day' ORDER BY tick DESC LIMIT $2",
  ]) {
    it(`is not reported: ${statement}`, async () => {
      assert.equal(await grows(statement), false);
    });
  }
});

describe('the list of statements whose cost is known to grow with a search', () => {
  const search = (/** @type {string} */ joined) => `
    SELECT p.body FROM (SELECT id FROM passages WHERE search @@ to_tsquery('content_stems', $1) LIMIT 20) found ${joined}`;
  const all = 'SELECT id, body FROM content_items UNION ALL SELECT id, body FROM passages';

  it('does not cover a search that reads all passages to get the texts of one page of results', async () => {
    const { growing } = await growingStatements(database, [search(`JOIN (${all} OFFSET 0) p USING (id)`)]);
    assert.deepEqual(growing.map(isKnownGrowth), [false]);
  });

  it('covers the ranking of the passages that an index finds', async () => {
    const ranked = `SELECT ts_rank(search, to_tsquery('content_stems', $1)) FROM passages WHERE search @@ to_tsquery('content_stems', $1)`;
    const { growing } = await growingStatements(database, [ranked]);
    assert.deepEqual(growing.map(isKnownGrowth), [true]);
  });
});

describe('the recorded statements', () => {
  it('contain each statement of the services once, and no statement of pg-boss', () => {
    const folder = mkdtempSync(join(tmpdir(), 'millwright-statements-'));
    const statements = [
      'SELECT 1',
      'SELECT id FROM runs WHERE id IN ($1,$2)',
      'SELECT id FROM runs WHERE id IN ($1,$2,$3)',
    ];
    writeFileSync(join(folder, '1.jsonl'), statements.map((statement) => `${JSON.stringify(statement)}\n`).join(''));
    writeFileSync(
      join(folder, '2.jsonl'),
      ['SELECT 1', 'BEGIN', 'SELECT * FROM pgboss.job'].map((statement) => `${JSON.stringify(statement)}\n`).join(''),
    );
    assert.deepEqual(recordedStatements(folder), ['SELECT 1', 'SELECT id FROM runs WHERE id IN ($1,$2)']);
    rmSync(folder, { recursive: true });
  });
});
