import { S3Client } from '@aws-sdk/client-s3';
import type { SealBucket } from './seal-bucket-config.js';

/** Creates a client of the bucket's server, with time limits for each request. */
export function createSealBucketClient({ region, endpoint, accessKeyId, secretAccessKey }: SealBucket): S3Client {
  return new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 15_000, throwOnRequestTimeout: true },
    // A request with a lock needs a checksum. Content-MD5 is used, because every server supports it.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}
