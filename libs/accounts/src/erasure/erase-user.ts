import { eraseAuditRows, recordDecision, type Actor, type ErasedPerson } from '@millwright/audit';
import { changeInSteps, encodeId, type Database, type Step, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { lockAccount } from '../lock-account.js';
import { deactivateUser } from '../users/deactivate-user.js';
import type { UserRow } from '../user-record.js';
import { ensureErasedUser, ERASED_NAME, ERASED_USER_ID, erasedEmail, isErasedEmail, noHandle } from './erased-user.js';
import { ERASURE_STEPS } from './erasure-steps.js';

export interface Erasure {
  /** Public id of the user: `usr_…`. */
  id: string;
  /** The number of deleted and changed rows, by the name of the table. */
  rows: Record<string, number>;
  /** The number of audit rows from which the person's data was removed. */
  audit_rows: number;
}

/**
 * Erases a person: deactivates the account, deletes the person's own records, and removes the person's data from
 * records of the project, the audit log and the row of the account. Rows in these three places stay. Works in steps, so
 * that it can change any number of rows. Repeat the call after an interruption. A call for an erased account removes
 * rows that a request in progress wrote after the erasure.
 *
 * @throws AppError not_found when there is no such account; conflict for the actor's own account and for the last
 * active platform admin.
 */
export async function eraseUser(db: Database, id: string, actor: Actor): Promise<Erasure> {
  if (id === actor.userId) throw refused('another admin has to erase your own account');
  if (id === ERASED_USER_ID) throw refused('stands for everyone who was erased');
  const step: Step = (work) => db.transaction(work);
  const user = await step(async (tx) => {
    await ensureErasedUser(tx);
    return deactivateUser(tx, id, actor, () => undefined);
  });
  const rows = await eraseRecords(step, user);
  const audit_rows = await eraseAuditRows(step, await personOf(db, user), actor);
  await step((tx) => eraseProfile(tx, id, actor, { rows, audit_rows }));
  return { id: encodeId('usr', id), rows, audit_rows };
}

const refused = (reason: string) => new AppError('conflict', { fields: [{ field: 'user', reason }] });

/** Repeats all steps until no step changes a row: a request that was in progress may write rows after the first pass. */
async function eraseRecords(step: Step, user: UserRow): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (;;) {
    let total = 0;
    for (const { table, statement } of ERASURE_STEPS) {
      const changed = await changeInSteps(step, (limit) => statement(user, limit));
      if (changed > 0) rows[table] = (rows[table] ?? 0) + changed;
      total += changed;
    }
    if (total === 0) return rows;
  }
}

/** Returns the names and addresses of the person, including former ones that are only in the audit log. */
async function personOf(db: Database, user: UserRow): Promise<ErasedPerson> {
  const ids = [encodeId('usr', user.id), user.id];
  const former = await db.prisma.$queryRaw<{ email: string | null; name: string | null }[]>`
    SELECT v.email, v.name FROM governance_decisions d,
      LATERAL (VALUES
        (d.detail #>> '{email,from}', d.detail #>> '{name,from}'), (d.detail #>> '{email,to}', d.detail #>> '{name,to}'),
        (NULL, CASE WHEN d.action = 'user.rename' THEN d.detail ->> 'from' END)) AS v (email, name)
     WHERE d.action IN ('user.update', 'user.rename') AND d.resource = ANY(${ids}) LIMIT 1000`;
  const known = <Value>(values: (Value | null)[]) => [...new Set(values.filter((value) => value !== null))];
  const names = known([user.name, ...former.map(({ name }) => name)]).filter((name) => name !== ERASED_NAME);
  const emails = known([user.email, ...former.map(({ email }) => email)]).filter((email) => !isErasedEmail(email));
  // A name of one word is not searched inside longer texts, because it may occur inside other words.
  return { userId: user.id, ids, names, texts: [...emails, ...names.filter((name) => name.trim().includes(' '))] };
}

async function eraseProfile(tx: Tx, id: string, actor: Actor, changed: Omit<Erasure, 'id'>): Promise<void> {
  const user = await lockAccount(tx, id, () => undefined);
  await tx.$executeRaw`
    UPDATE users SET email = ${erasedEmail(id)}, name = ${ERASED_NAME}, webauthn_user_id = ${noHandle()}, role = 'user', delegated_role = NULL,
           platform_admin = false, self_registered = false, version = version + 1, updated_at = now()
     WHERE id = ${id}::uuid`;
  await recordDecision(tx, {
    actor,
    action: 'user.erase',
    resource: encodeId('usr', id),
    project: user.project,
    detail: { rows: changed.rows, audit_rows: changed.audit_rows },
  });
}
