import { field } from '@millwright/config';
import { z } from 'zod';

/** Settings of a bucket with Object Lock outside the installation, which stores the hashes of the audit log's seals. */
export const sealBucketConfig = {
  AUDIT_SEAL_S3_BUCKET: z.string().optional(),
  AUDIT_SEAL_S3_REGION: z.string().default('us-east-1'),
  /** A server of the operator that is compatible with S3, reached without egress checks. Default: AWS. */
  AUDIT_SEAL_S3_ENDPOINT: field.url().optional(),
  AUDIT_SEAL_S3_ACCESS_KEY_ID: z.string().optional(),
  AUDIT_SEAL_S3_SECRET_ACCESS_KEY: z.string().optional(),
  /** COMPLIANCE: nobody can delete an object or shorten its lock. GOVERNANCE: users with a special permission can. */
  AUDIT_SEAL_S3_LOCK_MODE: z.enum(['COMPLIANCE', 'GOVERNANCE']).default('COMPLIANCE'),
  /** Days that each object is locked. */
  AUDIT_SEAL_S3_LOCK_DAYS: field.integer(1, 36_500).prefault('400'),
};

type Settings = z.output<z.ZodObject<typeof sealBucketConfig>>;
/** Type in which every setting is optional, because without the bucket the other settings have no effect. */
export type SealBucketConfig = { [Name in keyof Settings]?: Settings[Name] | undefined };

const KEYS = ['AUDIT_SEAL_S3_ACCESS_KEY_ID', 'AUDIT_SEAL_S3_SECRET_ACCESS_KEY'] as const;

/** Reports a fault when the bucket is set but the keys to write to it are missing. */
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
