import { createHash } from 'node:crypto';
import type { SealNotice } from '@millwright/audit';
import { HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { SealBucket } from './seal-bucket-config.js';

/** The prefix of all keys of the installation's seals. */
const PREFIX = 'audit-seals/';
const DAY_MS = 86_400_000;
/** Servers store the end of a lock in whole seconds. */
const ROUNDED_MS = 1_000;

/**
 * Stores the seals as one object that stays until its lock ends: a second object of the same key is a version beside it. The lock is
 * read back, because some servers accept the request and ignore the lock.
 *
 * @throws any error of the server; Error when the object has no such lock.
 */
export async function lockSeals(
  { bucket: Bucket, region, endpoint, mode, days, ...credentials }: SealBucket,
  seals: readonly SealNotice[],
  now = Date.now(),
): Promise<void> {
  const client = new S3Client({
    region,
    credentials,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 15_000, throwOnRequestTimeout: true },
    // Content-MD5, which every server knows, is the checksum that a lock requires.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const Key = keyOf(seals);
  const Body = `${JSON.stringify({ seals })}\n`;
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

/** Sorted by name, the keys are in the order of the seals. */
function keyOf(seals: readonly SealNotice[]): string {
  const [first = 0, last = first] = [seals[0]?.number, seals.at(-1)?.number];
  return `${PREFIX}${padded(first)}-${padded(last)}.json`;
}

const padded = (number: number) => String(number).padStart(10, '0');
