import { recordAction, recordDecision, recordDenial, type AuditEntry } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import type { Database, Tx } from '@millwright/db';
import type { GuardPoint } from './guard-points.js';
import type { Finding } from './redactor.js';

/** The project and the run, agent or prompt to which a text with findings belongs. */
export interface GuardedPlace {
  caller: Caller;
  /** Public id of the run, agent or prompt. */
  resource: string;
  detail?: Readonly<Record<string, string>> | undefined;
}

/** Returns the audit entry. It contains the number of finds by guard, and nothing of the text. */
const entryOf = (
  { caller: { project, actor }, resource, detail }: GuardedPlace,
  point: GuardPoint,
  findings: readonly Finding[],
): AuditEntry => ({
  ...{ actor, project, resource },
  action: 'guard.find',
  detail: { ...detail, point, findings: findings.map((finding) => ({ ...finding })) },
});

/** Writes the audit row for the findings in a text. Call this before the text is used. */
export async function recordFindings(
  db: Database,
  place: GuardedPlace,
  point: GuardPoint,
  findings: readonly Finding[],
): Promise<void> {
  const entry = entryOf(place, point, findings);
  const isBlocked = findings.some(({ action }) => action === 'block');
  await (isBlocked ? recordDenial(db, entry, 'a guard blocked the text') : recordAction(db, entry));
}

/** Writes the audit row for the findings in an input, in the transaction that stores the input. */
export async function recordInputFindings(tx: Tx, place: GuardedPlace, findings: readonly Finding[]): Promise<void> {
  if (findings.length > 0) await recordDecision(tx, entryOf(place, 'input', findings));
}
