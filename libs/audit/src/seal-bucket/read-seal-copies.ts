import { GetObjectCommand, ListObjectVersionsCommand, type ObjectVersion, type S3Client } from '@aws-sdk/client-s3';
import { z } from 'zod';
import { createSealBucketClient } from './seal-bucket-client.js';
import type { SealBucket } from './seal-bucket-config.js';
import { SEALS_PREFIX } from './seal-copies.js';

/** An object of the bucket with the hashes of seals, in the form that `lockSeals` stores. */
export interface SealCopy {
  key: string;
  /** Time at which the bucket's server stored the object. */
  storedAt: Date;
  /** Seals of the object; undefined for an object that does not have this form. */
  seals: readonly CopiedSeal[] | undefined;
}

const CopiedSeal = z.object({ number: z.int().positive(), hash: z.string() });
type CopiedSeal = z.output<typeof CopiedSeal>;

/** Maximum number of seals in an object. `send-seals` sends fewer seals in one message. */
const MOST_SEALS = 100;
const Copy = z.object({ seals: z.array(CopiedSeal).min(1).max(MOST_SEALS) });

/** Maximum length of an object, in bytes. */
const MOST_BYTES = 65_536;

/**
 * Reads the copies in the order of their keys, each with all its versions, also versions that a delete marker hides.
 * Keeps at most one page of the list in memory.
 *
 * @throws any error of the server.
 */
export async function* readSealCopies(bucket: SealBucket): AsyncGenerator<SealCopy> {
  const client = createSealBucketClient(bucket);
  try {
    for (let place: Place | undefined = {}; place;) {
      const page: Page = await listVersions(client, bucket.bucket, place);
      for (const version of page.versions) yield await readCopy(client, bucket.bucket, version);
      place = page.next;
    }
  } finally {
    client.destroy();
  }
}

interface Place {
  KeyMarker?: string | undefined;
  VersionIdMarker?: string | undefined;
}

interface Page {
  versions: readonly ObjectVersion[];
  next: Place | undefined;
}

async function listVersions(client: S3Client, Bucket: string, place: Place): Promise<Page> {
  const listed = await client.send(new ListObjectVersionsCommand({ Bucket, Prefix: SEALS_PREFIX, ...place }));
  const { IsTruncated, NextKeyMarker, NextVersionIdMarker, Versions: versions = [] } = listed;
  const next = IsTruncated ? { KeyMarker: NextKeyMarker, VersionIdMarker: NextVersionIdMarker } : undefined;
  return { versions, next };
}

async function readCopy(client: S3Client, Bucket: string, version: ObjectVersion): Promise<SealCopy> {
  const { Key = '', VersionId, Size = 0, LastModified: storedAt = new Date(0) } = version;
  if (Size > MOST_BYTES) return { key: Key, storedAt, seals: undefined };
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, VersionId }));
  return { key: Key, storedAt, seals: parseCopy((await Body?.transformToString()) ?? '') };
}

function parseCopy(text: string): readonly CopiedSeal[] | undefined {
  try {
    return Copy.safeParse(JSON.parse(text)).data?.seals;
  } catch {
    return undefined; // the object is not JSON
  }
}
