import { z } from 'zod';
import { canonical } from './content-hash.js';
import { readStatement, signStatement, type FindSealKey, type SealKey } from './seal.js';

/** A signed statement that retention removed all rows and seals before the current start of the audit log. */
export const Checkpoint = z.strictObject({
  /** Number of the last removed seal. */
  number: z.int().positive(),
  /** `seq` of the last row that the last removed seal covers. */
  through_seq: z.int(),
  /** Hash of the last removed seal. The first remaining seal contains this hash. */
  hash: z.string(),
  /** Number of all rows that retention has ever removed. */
  rows: z.int(),
  /** Time of the last removed seal. */
  sealed_at: z.string(),
  /** Time of the removal. */
  at: z.string(),
  jws: z.string(),
});
export type Checkpoint = z.output<typeof Checkpoint>;

/** Type of the signature. It differs from the type of a seal, so that a seal is never accepted as a checkpoint, nor a checkpoint as a seal. */
const TYPE = 'audit-checkpoint+jws';

export async function signCheckpoint(statement: Omit<Checkpoint, 'jws'>, key: SealKey): Promise<Checkpoint> {
  return { ...statement, jws: await signStatement(statement, key, TYPE) };
}

/** Whether this installation signed exactly this checkpoint. */
export async function isSignedCheckpoint({ jws, ...statement }: Checkpoint, findKey: FindSealKey): Promise<boolean> {
  const signed = await readStatement(jws, TYPE, findKey);
  return signed !== undefined && canonical(signed) === canonical(statement);
}
