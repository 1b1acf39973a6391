import { createHash } from 'node:crypto';
import { AppError } from '@millwright/errors';
import { Prisma } from './generated/client.js';
import type { Database, Tx } from './database.js';

/** The stored answer to a request with an idempotency key. A repetition of the request gets this answer. */
export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
  /** Describes how the rest of the body is read from a record, when the body grows with the record. */
  source?: unknown;
  /** UUIDs of the records that the answer contains. The answer is deleted when one of the records is deleted. */
  records?: readonly string[];
}

/** Status of an answer that was deleted together with its record. The trigger `forget_answers` sets it. */
const FORGOTTEN = 404;

export interface KeyedRequest {
  id: Buffer;
  fingerprint: Buffer;
}

/** Hours for which answers are stored. */
const KEPT_HOURS = 24;
/**
 * Lifetime of a claim without renewal. When the process of a request has died, the request can be repeated after this
 * time.
 */
const LEASE_SECONDS = 15;

/**
 * Identifies a request by its caller and its key, and distinguishes it from a different request with the same key.
 * Neither caller nor key is stored in clear text.
 */
export function keyedRequest(caller: string, key: string, method: string, path: string, body: unknown): KeyedRequest {
  const hash = (...parts: string[]) => createHash('sha256').update(JSON.stringify(parts)).digest();
  return { id: hash(caller, key), fingerprint: hash(method, path, JSON.stringify(body ?? null)) };
}

interface Row {
  fingerprint: Uint8Array;
  status: number | null;
  headers: Record<string, string> | null;
  body: unknown;
  source: unknown;
  running: boolean;
}

/**
 * Locks the key for this transaction and finds the answer that an earlier request stored under the key.
 *
 * @throws AppError idempotency_running while another request has the key, idempotency_conflict when the key was used for a different
 *   request, not_found when the answer was deleted with a record.
 */
export async function findAnswer(tx: Tx, { id, fingerprint }: KeyedRequest): Promise<StoredAnswer | undefined> {
  const [lock] = await tx.$queryRaw<[{ held: boolean }]>`
    SELECT pg_try_advisory_xact_lock(${id.readBigInt64BE()}) AS held`;
  if (!lock.held) throw new AppError('idempotency_running', { retryAfter: 1 });
  const [row] = await tx.$queryRaw<Row[]>`
    SELECT fingerprint, status, headers, body, source, lease_until > now() AS running
      FROM idempotency_keys WHERE id = ${id} AND expires_at > now()`;
  if (!row) return undefined;
  if (!fingerprint.equals(row.fingerprint)) throw new AppError('idempotency_conflict');
  const { status, headers, body, source } = row;
  if (status === FORGOTTEN) throw new AppError('not_found');
  if (status !== null) return { status, headers: headers ?? {}, body, ...(source !== null && { source }) };
  if (row.running) throw new AppError('idempotency_running', { retryAfter: 1 });
  return undefined;
}

/** Stores the answer in the transaction of the change that it reports. */
export async function storeAnswer(tx: Tx, { id, fingerprint }: KeyedRequest, answer: StoredAnswer): Promise<void> {
  const stored = await tx.$executeRaw`
    INSERT INTO idempotency_keys (id, fingerprint, status, headers, body, source, records, lease_until, expires_at)
    VALUES (${id}, ${fingerprint}, ${answer.status}, ${JSON.stringify(answer.headers)}::json, ${json(answer.body)}, ${json(answer.source)},
            ${[...(answer.records ?? [])]}::uuid[], now(),
            now() + make_interval(hours => ${KEPT_HOURS}))
    ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers,
      body = excluded.body, source = excluded.source, records = excluded.records, lease_until = excluded.lease_until, expires_at = excluded.expires_at, created_at = now()
      WHERE idempotency_keys.status IS NULL OR idempotency_keys.expires_at <= now()`;
  if (stored === 0) throw new AppError('idempotency_running', { retryAfter: 1 });
}

function json(value: unknown): Prisma.Sql {
  return value === undefined ? Prisma.sql`NULL` : Prisma.sql`${JSON.stringify(value)}::json`;
}

export interface Claim {
  /** The stored answer, when the request was answered before. */
  answer: StoredAnswer | undefined;
  /** Releases the key after a failure, so that a retry runs. */
  release(): Promise<void>;
  /** Stops the renewal of the lease. */
  end(): void;
}

/**
 * Claims a key for a request that takes longer than a transaction may last, because it calls a model first. The claim
 * is renewed until `end()` is called. When the process dies, the claim expires within 15 s.
 */
export async function claimKey(db: Database, request: KeyedRequest): Promise<Claim> {
  const { answer, claimedAt } = await db.transaction(async (tx) => {
    const found = await findAnswer(tx, request);
    if (found) return { answer: found, claimedAt: undefined };
    const [claim] = await tx.$queryRaw<[{ created_at: Date }]>`
      INSERT INTO idempotency_keys (id, fingerprint, lease_until, expires_at)
      VALUES (${request.id}, ${request.fingerprint}, now() + make_interval(secs => ${LEASE_SECONDS}),
              now() + make_interval(hours => ${KEPT_HOURS}))
      ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, status = NULL, headers = NULL, body = NULL, source = NULL,
        lease_until = excluded.lease_until, expires_at = excluded.expires_at, created_at = now()
      RETURNING created_at`;
    return { answer: undefined, claimedAt: claim.created_at };
  });
  if (!claimedAt) return { answer, release: () => Promise.resolve(), end: () => undefined };
  return { answer: undefined, ...renewed(db, request, claimedAt) };
}

/** Renews a claim until `end()` is called; `release()` deletes the claim. */
function renewed(db: Database, request: KeyedRequest, claimedAt: Date): Omit<Claim, 'answer'> {
  // Renews only the claim of this process. A process that was frozen for longer than its lease must not renew the claim
  // of its successor.
  const renew = () =>
    db.prisma.$executeRaw`
      UPDATE idempotency_keys SET lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
       WHERE id = ${request.id} AND status IS NULL AND created_at = ${claimedAt}`.catch(() => undefined); // repeated at the next renewal
  const timer = setInterval(() => void renew(), (LEASE_SECONDS / 3) * 1_000);
  timer.unref();
  const end = () => clearInterval(timer);
  return {
    end,
    release: async () => {
      end();
      await db.prisma.$executeRaw`
        DELETE FROM idempotency_keys WHERE id = ${request.id} AND status IS NULL AND created_at = ${claimedAt}`;
    },
  };
}

export interface SingleClaim extends Claim {
  /** Whether an earlier request with this key was sent and its answer was lost. */
  isUnknown: boolean;
  /** Marks the outcome of the request as unknown, because its answer was lost. */
  giveUp(): Promise<void>;
}

/**
 * Claims a key for a request that must never be sent twice: when the process dies or loses the answer, the outcome
 * stays unknown until the key expires.
 *
 * @throws AppError as {@link findAnswer}
 */
export async function claimOnce(db: Database, request: KeyedRequest): Promise<SingleClaim> {
  const { answer, claimedAt } = await db.transaction(async (tx) => {
    const found = await findAnswer(tx, request);
    if (found) return { answer: found, claimedAt: undefined };
    const [claim] = await tx.$queryRaw<{ created_at: Date }[]>`
      INSERT INTO idempotency_keys (id, fingerprint, lease_until, expires_at)
      VALUES (${request.id}, ${request.fingerprint}, now() + make_interval(secs => ${LEASE_SECONDS}),
              now() + make_interval(hours => ${KEPT_HOURS}))
      ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, status = NULL, headers = NULL, body = NULL, source = NULL,
        lease_until = excluded.lease_until, expires_at = excluded.expires_at, created_at = now()
        WHERE idempotency_keys.expires_at <= now()
      RETURNING created_at`;
    return { answer: undefined, claimedAt: claim?.created_at };
  });
  const over = { release: () => Promise.resolve(), giveUp: () => Promise.resolve(), end: () => undefined };
  if (!claimedAt) return { answer, isUnknown: answer === undefined, ...over };
  const claim = renewed(db, request, claimedAt);
  return {
    ...{ answer: undefined, isUnknown: false },
    ...claim,
    giveUp: async () => {
      claim.end();
      await db.prisma.$executeRaw`
        UPDATE idempotency_keys SET lease_until = now()
         WHERE id = ${request.id} AND status IS NULL AND created_at = ${claimedAt}`;
    },
  };
}
