import { Prisma, type Step, type Tx } from '@millwright/db';
import { toAuditRow, BEFORE_ALL } from './audit-log.store.js';
import { eraseFields, personalFields, storedHash, type AuditRow, type PersonalField } from './content-hash.js';
import { ERASE_ACTION } from './erasure-check.js';
import { recordDecision, type Actor } from './record.js';

/** The person whose data an erasure removes. */
export interface ErasedPerson {
  /** UUID of the person's account. */
  userId: string;
  /** Ids with which rows refer to the account. */
  ids: readonly string[];
  /** Texts that name the person anywhere within a value, such as addresses. Letter case is ignored. */
  texts: readonly string[];
  /** Names of the person. A value is erased only when the whole value equals one of them. */
  names: readonly string[];
}

/** Maximum rows read in a step. */
const ROWS_PER_STEP = 2_000;
/** Maximum number of rows that a statement changes and its audit row lists. */
const ROWS_PER_STATEMENT = 500;
/** Actions of erasures. The details of their audit rows are kept, because they contain ids and numbers, but no names. */
const KEPT_DETAILS = new Set([ERASE_ACTION, 'user.erase']);
/** Matches the ids of records and rows. Such ids are kept, because they name no person. */
const RECORD_ID = /^(?:[a-z]{2,4}_[0-9A-Za-z]{22}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * Erases a person's data from the audit log. Rows of the person's own actions lose all personal fields except ids of
 * records; rows of other actors lose the fields that name the person. Each step writes an audit row that lists the rows
 * it changed, so that the verification accepts the changed rows. A repeated call changes nothing. Only the owner of the
 * schema has the right to erase.
 *
 * @returns the number of changed rows.
 */
export async function eraseAuditRows(step: Step, person: ErasedPerson, actor: Actor): Promise<number> {
  // Rows about the account are erased last, because the caller reads the person's former names and addresses from them,
  // even when the caller continues after an interruption.
  const isOfAccount = ({ resource }: AuditRow) => person.ids.includes(resource);
  const others = await erasePages(step, person, actor, (row) => !isOfAccount(row));
  return others + (await erasePages(step, person, actor, isOfAccount));
}

async function erasePages(
  step: Step,
  person: ErasedPerson,
  actor: Actor,
  isSelected: (row: AuditRow) => boolean,
): Promise<number> {
  let changed = 0;
  for (let after = BEFORE_ALL; ;) {
    const read = await step((tx) => readPage(tx, after));
    const found = read.rows.filter(isSelected).flatMap((row) => {
      const fields = fieldsOf(row, person);
      return fields.size > 0 ? [eraseFields(row, fields)] : [];
    });
    for (let start = 0; start < found.length; start += ROWS_PER_STATEMENT) {
      const rows = found.slice(start, start + ROWS_PER_STATEMENT);
      changed += await step((tx) => writeRows(tx, rows, person, actor));
    }
    if (read.rows.length < ROWS_PER_STEP) return changed;
    after = read.last;
  }
}

async function readPage(tx: Tx, after: bigint): Promise<{ rows: AuditRow[]; last: bigint }> {
  const rows = await tx.governanceDecision.findMany({
    where: { seq: { gt: after } },
    orderBy: { seq: 'asc' },
    take: ROWS_PER_STEP,
  });
  return { rows: rows.map(toAuditRow), last: rows.at(-1)?.seq ?? after };
}

async function writeRows(tx: Tx, rows: readonly AuditRow[], person: ErasedPerson, actor: Actor): Promise<number> {
  const values = rows.map(
    ({ id, actor_id, resource, reason, request_id, ip, detail, erased }) => Prisma.sql`
      (${id}::uuid, ${actor_id}::text, ${resource}::text, ${reason}::text, ${request_id}::text, ${ip}::text,
       ${JSON.stringify(detail)}::jsonb, ${JSON.stringify(erased)}::jsonb)`,
  );
  await tx.$executeRaw`SELECT set_config('millwright.erasure', 'on', true)`;
  await tx.$executeRaw`
    UPDATE governance_decisions d
       SET actor_id = e.actor_id, resource = e.resource, reason = e.reason, request_id = e.request_id, ip = e.ip,
           detail = e.detail, erased = e.erased, salt = NULL
      FROM (VALUES ${Prisma.join(values)}) AS e (id, actor_id, resource, reason, request_id, ip, detail, erased)
     WHERE d.id = e.id`;
  await recordDecision(tx, {
    // The detail of this row is never erased. Therefore the row does not name the operator's host and user.
    actor: { ...actor, origin: undefined },
    action: ERASE_ACTION,
    resource: person.ids[0] ?? person.userId,
    detail: { rows: rows.map((row) => [row.id, storedHash(row)]) },
  });
  return rows.length;
}

/** Returns the personal fields of a row that still have to be erased. */
function fieldsOf(row: AuditRow, person: ErasedPerson): Set<PersonalField> {
  const isOwn = row.user_id === person.userId;
  const isAbout = person.ids.includes(row.resource);
  const named = personalFields.filter((field) => {
    if (isErased(row, field)) return false;
    if (field === 'resource' && RECORD_ID.test(row.resource)) return false;
    if (field === 'actor_id' && isOwn) return row.actor_kind === 'user' || names(row.actor_id, person);
    if (isOwn) return !isEmpty(row[field]);
    return (isAbout && field === 'detail' && !isEmpty(row.detail)) || names(row[field], person);
  });
  return new Set(KEPT_DETAILS.has(row.action) ? named.filter((field) => field !== 'detail') : named);
}

function isErased(row: AuditRow, field: PersonalField): boolean {
  if (row.erased == null) return false;
  const stored = row.erased[field];
  return stored ? 'commitment' in stored : isEmpty(row[field]) || row[field] === 'erased';
}

const isEmpty = (value: unknown) => value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** Whether a value names the person, at any depth. */
function names(value: unknown, person: ErasedPerson): boolean {
  if (typeof value === 'string') {
    const lower = value.toLowerCase();
    return person.names.includes(value) || person.texts.some((text) => lower.includes(text.toLowerCase()));
  }
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => names(key, person) || names(item, person));
}
