import { createHash } from 'node:crypto';
import { HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import type { SealNotice } from '../send-seals.js';
import { createSealBucketClient } from './seal-bucket-client.js';
import type { SealBucket } from './seal-bucket-config.js';
import { bodyOfSeals, keyOfSeals } from './seal-copies.js';

const DAY_MS = 86_400_000;
/** Tolerated difference of the end of a lock, in milliseconds, because servers store the end in whole seconds. */
const ROUNDED_MS = 1_000;

/**
 * Stores the seals as one object that cannot be deleted until its lock ends; a second object with the same key becomes another version. The
 * lock is read back, because some servers accept the request and ignore the lock.
 *
 * @throws any error of the server; Error when the object has no such lock.
 */
export async function lockSeals(bucket: SealBucket, seals: readonly SealNotice[], now = Date.now()): Promise<void> {
  const client = createSealBucketClient(bucket);
  const { bucket: Bucket, mode, days } = bucket;
  const [Key, Body] = [keyOfSeals(seals), bodyOfSeals(seals)];
  const until = new Date(now + days * DAY_MS);
  try {
    const { VersionId } = await client.send(
      new PutObjectCommand({
        ...{ Bucket, Key, Body, ContentType: 'application/json' },
        ContentMD5: createHash('md5').update(Body).digest('base64'),
        ObjectLockMode: mode,
        ObjectLockRetainUntilDate: until,
      }),
    );
    const stored = await client.send(new HeadObjectCommand({ Bucket, Key, VersionId }));
    const end = stored.ObjectLockRetainUntilDate?.getTime() ?? 0;
    if (VersionId === undefined || stored.ObjectLockMode !== mode || end < until.getTime() - ROUNDED_MS)
      throw new Error(`the bucket ${Bucket} stored ${Key} without the lock: it needs Object Lock`);
  } finally {
    client.destroy();
  }
}
