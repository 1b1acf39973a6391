import type { Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { verifyAuditLog, verifyPart, type VerificationState } from './index.js';
import { asSuperuser, makeActor, makeSealKey, openDatabase, writeSealedAuditLog } from './test-audit-log.js';

let database: TestDatabase;
let db: Database;
const key = makeSealKey('seal-key');
/** More seals than one part reads at once. */
const SEALS = 34;

beforeEach(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  const { userId } = await makeActor(db);
  await writeSealedAuditLog(db, database.url, userId, key, SEALS, 3);
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

/** Verifies in as many parts as possible. Each part continues from the saved state, as another process would do. */
async function verifyInParts() {
  const numbers: number[] = [];
  for (let state: VerificationState | undefined; ;) {
    const part = await verifyPart(db, key.find, state, () => true);
    if ('findings' in part) return { findings: part.findings, numbers };
    state = JSON.parse(JSON.stringify(part.state)) as VerificationState;
    numbers.push(state.walk?.number ?? 0);
  }
}

const change = (sql: string) => asSuperuser(database.url, (client) => client.query(sql));
const rowOfSeal = (seal: number) => `SELECT (entries -> 1 ->> 1)::uuid FROM audit_seals WHERE number = ${seal}`;

describe('verifyPart', () => {
  it('finds no fault in an untouched log, and continues each part after the last seal of the previous part', async () => {
    const { findings, numbers } = await verifyInParts();
    expect(findings).toEqual({ rows: 3 * SEALS, seals: SEALS, unsealed: 3, erased: 0, removed: 0, faults: [] });
    expect(numbers).toEqual([10, 20, 30, 34]);
  });

  it.each([
    ['an edited row of the first part', `UPDATE governance_decisions SET reason = 'x' WHERE id = (${rowOfSeal(2)})`, 1],
    ['a deleted row of a later part', `DELETE FROM governance_decisions WHERE id = (${rowOfSeal(25)})`, 1],
    [
      'rows of two parts that changed places',
      `UPDATE governance_decisions g SET action = o.action, resource = o.resource, project = o.project, decision = o.decision, reason = o.reason,
              request_id = o.request_id, detail = o.detail, at = o.at, salt = o.salt, actor_kind = o.actor_kind, actor_id = o.actor_id
         FROM governance_decisions o
        WHERE (g.id, o.id) IN (((${rowOfSeal(3)}), (${rowOfSeal(23)})), ((${rowOfSeal(23)}), (${rowOfSeal(3)})))`,
      2,
    ],
    ['a seal that is gone', 'DELETE FROM audit_seals WHERE number = 15', undefined],
  ])('finds the same faults as an undivided verification: %s', async (_case, sql, faults) => {
    await change(sql);
    const { findings } = await verifyInParts();
    expect(findings).toEqual(await verifyAuditLog(db, key.find));
    expect(findings.faults).not.toEqual([]);
    if (faults !== undefined) expect(findings.faults).toHaveLength(faults);
  });

  it('reports a change in an already verified part when the log is verified again', async () => {
    const first = await verifyPart(db, key.find, undefined, () => true);
    await change(`UPDATE governance_decisions SET reason = 'x' WHERE id = (${rowOfSeal(2)})`);
    const rest = await verifyPart(db, key.find, 'state' in first ? first.state : undefined, () => false);
    expect(rest).toMatchObject({ findings: { faults: [] } });
    expect((await verifyAuditLog(db, key.find)).faults).toHaveLength(1);
  });
});
