import { field } from '@millwright/config';
import { z } from 'zod';

/** Settings of the storage for the bytes of files: a bucket, or else a folder. */
export const filesConfig = {
  /** Folder of the files, shared by all processes; required without a bucket. */
  FILES_DIR: z.string().optional(),
  /** Bucket that stores the files instead of a folder. */
  FILES_S3_BUCKET: z.string().optional(),
  FILES_S3_REGION: z.string().default('us-east-1'),
  /** A server of the operator that is compatible with S3, reached without egress checks. Default: AWS. */
  FILES_S3_ENDPOINT: field.url().optional(),
  FILES_S3_ACCESS_KEY_ID: z.string().optional(),
  FILES_S3_SECRET_ACCESS_KEY: z.string().optional(),
};
export type FilesConfig = z.output<z.ZodObject<typeof filesConfig>>;

const KEYS = ['FILES_S3_ACCESS_KEY_ID', 'FILES_S3_SECRET_ACCESS_KEY'] as const;

/** Reports a fault when the bucket is set but its keys are missing. */
export function requireBucketKeys(config: FilesConfig, context: z.RefinementCtx): void {
  if (config.FILES_S3_BUCKET === undefined) return;
  for (const name of KEYS.filter((key) => config[key] === undefined))
    context.addIssue({ code: 'custom', path: [name], message: 'is required' });
}

/** Reports a fault when neither a folder nor a bucket with its keys is set. */
export function requireFileStorage(config: FilesConfig, context: z.RefinementCtx): void {
  if (config.FILES_S3_BUCKET === undefined && config.FILES_DIR === undefined)
    context.addIssue({ code: 'custom', path: ['FILES_DIR'], message: 'is required' });
  requireBucketKeys(config, context);
}
