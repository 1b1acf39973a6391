import type { KeyObject } from 'node:crypto';
import { CompactSign, compactVerify, decodeProtectedHeader } from 'jose';
import { z } from 'zod';
import { canonical, contentHash, sha256, type AuditRow } from './content-hash.js';

/** A sealed row: seq, id, at, content hash. */
export const SealEntry = z.tuple([z.int(), z.string(), z.string(), z.string()]);
export type SealEntry = z.output<typeof SealEntry>;

/** A signed statement that certain rows exist with certain contents. */
export const Seal = z.object({
  /** Number of the seal, from 1 without gaps. */
  number: z.int().positive(),
  sealed_at: z.string(),
  entries: z.array(SealEntry).min(1),
  jws: z.string(),
});
export type Seal = z.output<typeof Seal>;

const Statement = z.strictObject({
  number: z.int(),
  /** Hash of the preceding seal; 64 zeros in the first seal. */
  previous: z.string(),
  /** SHA-256 of the entries. */
  digest: z.string(),
  sealed_at: z.string(),
});

export interface SealKey {
  kid: string;
  privateKey: KeyObject;
}
export type FindSealKey = (kid: string) => Promise<KeyObject | undefined>;

/** Type of the signature. It differs from the type of tokens, so that a seal is never accepted as a token, nor a token as a seal (RFC 8725 §3.11). */
const TYPE = 'audit-seal+jws';
export const FIRST_PREVIOUS = '0'.repeat(64);

/** Returns the hash of a seal, which the next seal contains. */
export const hashOfSeal = (seal: Pick<Seal, 'jws'>): string => sha256(seal.jws, 'hex');

/** Seals rows, which must be in the order of `seq`. The new seal follows the seal with the hash `previous`. */
export async function sealRows(
  rows: readonly AuditRow[],
  place: { number: number; previous: string; sealedAt: Date },
  key: SealKey,
): Promise<Seal> {
  const entries = rows.map((row): SealEntry => [row.seq, row.id, row.at, contentHash(row)]);
  const { number, previous } = place;
  const sealed_at = place.sealedAt.toISOString();
  const statement = { number, previous, digest: digestOf(entries), sealed_at };
  return { number, sealed_at, entries, jws: await signStatement(statement, key, TYPE) };
}

const digestOf = (entries: readonly SealEntry[]) => sha256(canonical(entries), 'hex');

/**
 * Returns the faults of a seal, or an empty list for a valid seal of this installation. `previous` is the hash of the
 * preceding seal, if known.
 *
 * @throws any error of `findKey`.
 */
export async function sealFaults(seal: Seal, previous: string | undefined, findKey: FindSealKey): Promise<string[]> {
  const kid = kidOf(seal.jws);
  const key = kid === undefined ? undefined : await findKey(kid);
  if (kid !== undefined && !key) return [`its signature is not good: the key ${kid} is not trusted`];
  const statement = Statement.safeParse(key && (await readPayload(seal.jws, key))).data;
  if (!statement) return ['its signature is not good'];
  const faults: string[] = [];
  if (statement.number !== seal.number || statement.sealed_at !== seal.sealed_at) faults.push('it was changed');
  if (statement.digest !== digestOf(seal.entries)) faults.push('its list of rows was changed');
  if (previous !== undefined && statement.previous !== previous) faults.push('it does not follow the seal before it');
  return faults;
}

/** Signs a statement. The type of the signature differs for each kind of statement. */
export function signStatement(statement: object, key: SealKey, type: string): Promise<string> {
  return new CompactSign(new TextEncoder().encode(canonical(statement)))
    .setProtectedHeader({ alg: 'ES256', typ: type, kid: key.kid })
    .sign(key.privateKey);
}

/** Reads a signed statement of the given type. Returns undefined when the signature is not valid. */
export async function readStatement(jws: string, type: string, findKey: FindSealKey): Promise<unknown> {
  const kid = kidOf(jws, type);
  const key = kid === undefined ? undefined : await findKey(kid);
  return key && readPayload(jws, key);
}

function kidOf(jws: string, type = TYPE): string | undefined {
  try {
    const { kid, typ } = decodeProtectedHeader(jws);
    return typ === type ? kid : undefined;
  } catch {
    return undefined; // jose throws for a text that is not a JWS
  }
}

async function readPayload(jws: string, key: KeyObject): Promise<unknown> {
  try {
    const { payload } = await compactVerify(jws, key, { algorithms: ['ES256'] });
    return JSON.parse(new TextDecoder().decode(payload));
  } catch {
    return undefined; // jose throws for every fault of a signature
  }
}

/** Signs the totals of an export, so that a truncated file is detected. */
export const signEnd = (end: object, key: SealKey): Promise<string> => signStatement(end, key, TYPE);

/** Whether this installation signed exactly these totals. */
export async function isSignedEnd(end: object, jws: string, findKey: FindSealKey): Promise<boolean> {
  const payload = await readStatement(jws, TYPE, findKey);
  return payload !== undefined && canonical(payload) === canonical(end);
}
