import { field } from '@millwright/config';
import { z } from 'zod';

/** Settings of the bucket with Object Lock that keeps the hashes of the audit log's seals outside the installation. */
export const sealBucketConfig = {
  AUDIT_SEAL_S3_BUCKET: z.string().optional(),
  AUDIT_SEAL_S3_REGION: z.string().default('us-east-1'),
  /** The operator's own S3-compatible server, reached without egress checks; AWS when left out. */
  AUDIT_SEAL_S3_ENDPOINT: field.url().optional(),
  AUDIT_SEAL_S3_ACCESS_KEY_ID: z.string().optional(),
  AUDIT_SEAL_S3_SECRET_ACCESS_KEY: z.string().optional(),
  /** COMPLIANCE: nobody can delete an object or shorten its lock. GOVERNANCE: users with a special permission can. */
  AUDIT_SEAL_S3_LOCK_MODE: z.enum(['COMPLIANCE', 'GOVERNANCE']).default('COMPLIANCE'),
  /** Days that each object is locked. */
  AUDIT_SEAL_S3_LOCK_DAYS: field.integer(1, 36_500).prefault('400'),
};

type Settings = z.output<z.ZodObject<typeof sealBucketConfig>>;
/** Without the bucket, the other settings have no effect. */
export type SealBucketConfig = { [Name in keyof Settings]?: Settings[Name] | undefined };

const KEYS = ['AUDIT_SEAL_S3_ACCESS_KEY_ID', 'AUDIT_SEAL_S3_SECRET_ACCESS_KEY'] as const;

/** Reports a bucket without the keys to write to it. */
export function requireSealBucketKeys(config: SealBucketConfig, context: z.RefinementCtx): void {
  if (config.AUDIT_SEAL_S3_BUCKET === undefined) return;
  for (const name of KEYS.filter((key) => config[key] === undefined))
    context.addIssue({ code: 'custom', path: [name], message: 'is required with AUDIT_SEAL_S3_BUCKET' });
}

export interface SealBucket {
  bucket: string;
  region: string;
  endpoint: string | undefined;
  accessKeyId: string;
  secretAccessKey: string;
  mode: 'COMPLIANCE' | 'GOVERNANCE';
  days: number;
}

/** @returns undefined when no bucket is configured */
export function sealBucketOf(config: SealBucketConfig): SealBucket | undefined {
  if (config.AUDIT_SEAL_S3_BUCKET === undefined) return undefined;
  return {
    bucket: config.AUDIT_SEAL_S3_BUCKET,
    region: config.AUDIT_SEAL_S3_REGION ?? 'us-east-1',
    endpoint: config.AUDIT_SEAL_S3_ENDPOINT,
    accessKeyId: config.AUDIT_SEAL_S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: config.AUDIT_SEAL_S3_SECRET_ACCESS_KEY ?? '',
    mode: config.AUDIT_SEAL_S3_LOCK_MODE ?? 'COMPLIANCE',
    days: config.AUDIT_SEAL_S3_LOCK_DAYS ?? 400,
  };
}
