import { createHash } from 'node:crypto';

/** A row of the audit log as it is sealed and exported. */
export interface AuditRow {
  /** Position in the order of insertion. */
  seq: number;
  /** UUID. */
  id: string;
  /** ISO 8601, UTC, milliseconds. */
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
}

/** Hashed fields of a row, in order. `seq` and `id` are in the seal beside the hash. */
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

/** Whether a value has the fields of an audit row. Its hash verifies their content. */
export function isAuditRow(value: unknown): value is AuditRow {
  if (typeof value !== 'object' || value === null) return false;
  const { seq, id }: { seq?: unknown; id?: unknown } = value;
  return Number.isSafeInteger(seq) && typeof id === 'string' && CONTENT.every((name) => name in value);
}

/** SHA-256 of all hashed fields of a row, base64url. */
export function contentHash(row: AuditRow): string {
  return sha256(canonical(CONTENT.map((name) => row[name])), 'base64url');
}

export function sha256(text: string, encoding: 'hex' | 'base64url'): string {
  return createHash('sha256').update(text).digest(encoding);
}

/** JSON with sorted keys: a value has the same text from the database and from a file. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`;
}
