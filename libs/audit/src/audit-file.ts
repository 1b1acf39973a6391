import type { JsonWebKey } from 'node:crypto';
import { z } from 'zod';
import { Checkpoint } from './checkpoint.js';

/**
 * An export has one JSON object per line: first `header`, then for each seal its `decision`s and the `seal` itself, then the unsealed
 * decisions, then `end`. `millwright audit verify FILE` verifies the file offline.
 */
export const AuditFileHeader = z.object({
  type: z.literal('header'),
  /** Format of the file. In format 2, personal fields of rows may be erased. */
  format: z.union([z.literal(1), z.literal(2)]),
  exported_at: z.string(),
  /** Period: includes `from` and excludes `to`; null means no limit. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** Whether the export has only the rows that match a filter, so that rows of the log may be missing. */
  partial: z.boolean(),
  /** `first_seal`: number of the first seal in the file. `previous`: hash of the seal before the first seal. */
  first_seal: z.int().nullable(),
  previous: z.string().nullable(),
  /** The statement about the rows that retention removed before the first seal in the file. */
  checkpoint: Checkpoint.optional(),
  /** Public keys of all seals. Compare them with keys from another source, because a forger could have replaced them in the file. */
  keys: z.array(z.looseObject({ kid: z.string() })),
});
export type AuditFileHeader = z.output<typeof AuditFileHeader>;

export const AuditFileEnd = z.object({
  type: z.literal('end'),
  rows: z.int(),
  seals: z.int(),
  unsealed: z.int(),
  /** SHA-256 over the header and the content of every row. */
  digest: z.string(),
  /** The service's signature of the fields above; null in an export that was made with the command line. */
  jws: z.string().nullable(),
});
export type AuditFileEnd = z.output<typeof AuditFileEnd>;

export type PublicSealKey = JsonWebKey & { kid: string };
