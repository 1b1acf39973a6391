import { z } from 'zod';
import { canonical } from './content-hash.js';
import { readStatement, signStatement, type FindSealKey, type SealKey } from './seal.js';

/** A signed statement that retention removed all rows and seals before the present start of the audit log. */
export const Checkpoint = z.strictObject({
  /** Number of the last removed seal. */
  number: z.int().positive(),
  /** Last `seq` of the last removed seal. */
  through_seq: z.int(),
  /** Hash of the last removed seal, contained in the first remaining seal. */
  hash: z.string(),
  /** Number of rows removed since the beginning. */
  rows: z.int(),
  /** Time of the last removed seal. */
  sealed_at: z.string(),
  /** Time of the removal. */
  at: z.string(),
  jws: z.string(),
});
export type Checkpoint = z.output<typeof Checkpoint>;

/** A separate type, so that a seal is never accepted as a checkpoint or the reverse. */
const TYPE = 'audit-checkpoint+jws';

export async function signCheckpoint(statement: Omit<Checkpoint, 'jws'>, key: SealKey): Promise<Checkpoint> {
  return { ...statement, jws: await signStatement(statement, key, TYPE) };
}

/** Whether this installation signed exactly this checkpoint. */
export async function isSignedCheckpoint({ jws, ...statement }: Checkpoint, findKey: FindSealKey): Promise<boolean> {
  const signed = await readStatement(jws, TYPE, findKey);
  return signed !== undefined && canonical(signed) === canonical(statement);
}
