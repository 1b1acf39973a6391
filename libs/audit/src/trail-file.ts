import type { JsonWebKey } from 'node:crypto';
import { z } from 'zod';

/**
 * An export, a line of JSON each: `header`, then of each seal its `decision`s and the `seal`, then the decisions that no seal has
 * yet, then `end`. Checked offline by `millwright audit verify FILE`.
 */
export const TrailHeader = z.object({
  type: z.literal('header'),
  format: z.literal(1),
  exported_at: z.string(),
  /** First included, second not; null where open. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** Only rows that were asked for are in it: what is not in it may still exist. */
  partial: z.boolean(),
  /** Number of the first seal in it, and the hash of the one before that. */
  first_seal: z.int().nullable(),
  previous: z.string().nullable(),
  /** Public keys of every seal there may be. Compare them with keys that you have from elsewhere. */
  keys: z.array(z.looseObject({ kid: z.string() })),
});
export type TrailHeader = z.output<typeof TrailHeader>;

export const TrailEnd = z.object({
  type: z.literal('end'),
  rows: z.int(),
  seals: z.int(),
  unsealed: z.int(),
  /** SHA-256 over the header and the content of every row. */
  digest: z.string(),
  /** Signature of the above by the service; an export from the command line has none. */
  jws: z.string().nullable(),
});
export type TrailEnd = z.output<typeof TrailEnd>;

export type PublicSealKey = JsonWebKey & { kid: string };
