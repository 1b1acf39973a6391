import { createHash } from 'node:crypto';

/** A row of the trail as it is sealed and exported. */
export interface TrailRow {
  /** Place in the order of writing. */
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

/** What a row says, in the order that is hashed. `seq` and `id` stand beside the hash in the seal. */
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
] as const satisfies (keyof TrailRow)[];

/** Whether it has the fields of a row of the trail; what they say is for its hash to tell. */
export function isTrailRow(value: unknown): value is TrailRow {
  if (typeof value !== 'object' || value === null) return false;
  const row = value as Partial<Record<string, unknown>>;
  return Number.isSafeInteger(row['seq']) && typeof row['id'] === 'string' && CONTENT.every((name) => name in row);
}

/** SHA-256 of everything a row says, base64url. */
export function contentHash(row: TrailRow): string {
  return sha256(canonical(CONTENT.map((name) => row[name])), 'base64url');
}

export function sha256(text: string, encoding: 'hex' | 'base64url'): string {
  return createHash('sha256').update(text).digest(encoding);
}

/** JSON with its keys in order: the database and a file give the same text for the same value. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`;
}
