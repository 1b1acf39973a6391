import type { Database } from '@millwright/db';
import type { SealNotice } from '../send-seals.js';
import type { CopyFindings } from './compare-seal-copies.js';
import type { SealBucket } from './seal-bucket-config.js';

export type { CopyFindings };

// The client of S3 is loaded at its first use, because most processes and commands use no bucket.

/** Loads the client of S3, then does the same as {@link import('./lock-seals.js').lockSeals}. */
export async function lockSeals(bucket: SealBucket, seals: readonly SealNotice[]): Promise<void> {
  const { lockSeals: lock } = await import('./lock-seals.js');
  await lock(bucket, seals);
}

/** Loads the client of S3, then does the same as {@link import('./compare-seal-copies.js').compareSealCopies}. */
export async function compareSealCopies(db: Database, bucket: SealBucket): Promise<CopyFindings> {
  const { compareSealCopies: compare } = await import('./compare-seal-copies.js');
  return compare(db, bucket);
}
