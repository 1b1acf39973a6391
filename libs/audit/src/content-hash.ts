import { hash } from 'node:crypto';

/** A row of the audit log in the form in which it is sealed and exported. */
export interface AuditRow {
  /** Position in the order of insertion. */
  seq: number;
  /** UUID of the row. */
  id: string;
  /** Time of the row: ISO 8601, UTC, milliseconds. */
  at: string;
  /** UUID of the accountable user. */
  user_id: string;
  actor_kind: string;
  actor_id: string;
  action: string;
  resource: string;
  project: string | null;
  decision: string;
  reason: string | null;
  request_id: string | null;
  ip: string | null;
  detail: unknown;
  /**
   * Random value from which the commitments to the personal fields are made. It is missing in exports and in rows of
   * format 1, and null in erased rows.
   */
  salt?: string | null;
  /**
   * One value for each personal field of an erased row. For an erased field, this is its commitment; for a field that
   * was kept, it is the key of the commitment. Empty in format 1.
   */
  erased?: ErasedFields | null;
}

/** Fields that may contain personal data, each with the value that an erased field has. */
export const PERSONAL = {
  actor_id: 'erased',
  resource: 'erased',
  reason: null,
  request_id: null,
  ip: null,
  detail: {},
} as const satisfies Partial<AuditRow>;
export type PersonalField = keyof typeof PERSONAL;
export const personalFields = Object.keys(PERSONAL) as PersonalField[];

export type ErasedFields = Partial<Record<PersonalField, { commitment: string } | { key: string }>>;

const PUBLIC = ['at', 'user_id', 'actor_kind', 'action', 'project', 'decision'] as const satisfies (keyof AuditRow)[];

/** Fields that format 1 hashes, in order. The seal contains `seq` and `id` beside the hash. */
const CONTENT = [
  'at',
  'user_id',
  'actor_kind',
  'actor_id',
  'action',
  'resource',
  'project',
  'decision',
  'reason',
  'request_id',
  'ip',
  'detail',
] as const satisfies (keyof AuditRow)[];

/** Prefix of a hash of format 2. Such a hash contains commitments to personal fields instead of the fields. */
const FORMAT_2 = '2.';

/** Whether a value has the fields of an audit row. The hash of the row protects their content. */
export function isAuditRow(value: unknown): value is AuditRow {
  if (typeof value !== 'object' || value === null) return false;
  const { seq, id }: { seq?: unknown; id?: unknown } = value;
  return Number.isSafeInteger(seq) && typeof id === 'string' && CONTENT.every((name) => name in value);
}

/** Returns SHA-256 of all hashed fields of a row, base64url. Erasing fields of a row of format 2 does not change the hash. */
export function contentHash(row: AuditRow): string {
  return isFormat2(row) ? FORMAT_2 + hashOfFormat2(row) : hashOfFormat1(row);
}

/**
 * Returns the hash of a row in the format of `sealed`, which is the hash in the row's seal. An earlier release sealed
 * rows of format 2 with hashes of format 1.
 */
export function contentHashAs(sealed: string, row: AuditRow): string {
  return sealed.startsWith(FORMAT_2) ? FORMAT_2 + hashOfFormat2(row) : hashOfFormat1(row);
}

/** Returns SHA-256 of a row as it is stored, including its erased fields. The statement of an erasure contains this hash. */
export const storedHash = (row: AuditRow): string =>
  sha256(canonical([row.id, ...CONTENT.map((name) => row[name]), row.salt ?? null, row.erased ?? null]), 'base64url');

const isFormat2 = ({ salt, erased }: AuditRow) =>
  typeof salt === 'string' || (erased != null && Object.keys(erased).length > 0);

const hashOfFormat1 = (row: AuditRow) => sha256(canonical(CONTENT.map((name) => row[name])), 'base64url');

function hashOfFormat2(row: AuditRow): string {
  const commitments = personalFields.map((field) => commitmentOf(row, field));
  return sha256(canonical([...PUBLIC.map((name) => row[name]), ...commitments]), 'base64url');
}

/** Returns the key of a field's commitment. The key reveals nothing about the other fields of the row. */
const keyOf = (salt: string, field: PersonalField) => sha256(`${salt}:${field}`, 'base64url');

function commitmentOf(row: AuditRow, field: PersonalField): string {
  const value = canonical(row[field]);
  const stored = row.erased?.[field];
  if (stored && 'commitment' in stored && value === canonical(PERSONAL[field])) return stored.commitment;
  const key = stored && 'key' in stored ? stored.key : keyOf(row.salt ?? '', field);
  return sha256(`${key}:${value}`, 'base64url');
}

/**
 * Returns the row without the content of the given fields. When the row has format 1, it then no longer matches the
 * hash in its seal.
 */
export function eraseFields(row: AuditRow, fields: ReadonlySet<PersonalField>): AuditRow {
  const erased = isFormat2(row)
    ? Object.fromEntries(personalFields.map((field) => [field, eraseField(row, field, fields.has(field))]))
    : {};
  const values = Object.fromEntries([...fields].map((field) => [field, PERSONAL[field]]));
  return { ...row, ...values, salt: null, erased };
}

function eraseField(row: AuditRow, field: PersonalField, isErased: boolean) {
  const stored = row.erased?.[field];
  if (stored && ('commitment' in stored || !isErased)) return stored;
  return isErased ? { commitment: commitmentOf(row, field) } : { key: keyOf(row.salt ?? '', field) };
}

export function sha256(text: string, encoding: 'hex' | 'base64url'): string {
  return hash('sha256', text, encoding);
}

/** Returns JSON with sorted keys, so that a value has the same text whether it comes from the database or from a file. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`;
}
