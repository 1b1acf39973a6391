// @ts-check
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ensureFirstRecords } from './first-records.mjs';

/** Simulates the operator commands of an installation in memory. */
function fakeOperator() {
  /** @type {Record<string, any[]>} */
  const rows = { users: [], keys: [], clients: [] };
  const passkeys = { enrolled: false };
  const run = async (/** @type {string} */ kind, /** @type {string} */ verb, /** @type {string[]} */ ...options) => {
    const table = rows[kind] ?? [];
    if (verb === 'list') return table;
    const id = `${kind}_${table.length}`;
    const secrets = { key: `secret of ${id}`, client_id: id, client_secret: `secret of ${id}` };
    table.push({ id, email: options[1], revoked_at: null });
    return { id, ...secrets };
  };
  const ask = async () => (passkeys.enrolled ? undefined : { setup_url: 'http://setup#token=x' });
  return { operator: /** @type {any} */ ({ run, ask }), rows, passkeys };
}

describe('ensureFirstRecords', () => {
  /** @type {string} */
  let file;
  beforeEach(() => (file = join(mkdtempSync(join(tmpdir(), 'millwright-first-')), 'first-records.json')));
  afterEach(() => rmSync(join(file, '..'), { recursive: true }));

  it('creates the records once, and stores their secrets readable by the owner only', async () => {
    const { operator, rows } = fakeOperator();
    const first = await ensureFirstRecords(operator, file);
    assert.deepEqual(await ensureFirstRecords(operator, file), first);
    assert.deepEqual(
      Object.values(rows).map((table) => table.length),
      [1, 1, 1],
    );
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('creates another key when the database was replaced or when the key was revoked', async () => {
    const { operator, rows } = fakeOperator();
    await ensureFirstRecords(operator, file);
    rows['keys'] = [];
    rows['clients'] = [];
    await ensureFirstRecords(operator, file);
    assert.equal(rows['keys'].length, 1);
    rows['keys'][0].revoked_at = 'now';
    const { api_key } = await ensureFirstRecords(operator, file);
    assert.equal(api_key, 'secret of keys_1');
  });

  it('returns no setup link once a passkey is enrolled', async () => {
    const { operator, passkeys } = fakeOperator();
    passkeys.enrolled = true;
    assert.equal((await ensureFirstRecords(operator, file)).admin.setup_url, null);
  });
});
