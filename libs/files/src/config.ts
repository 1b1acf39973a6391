import { field } from '@millwright/config';
import { z } from 'zod';

/** Settings of the place that keeps the bytes of files: a bucket, else a folder. */
export const filesConfig = {
  /** Folder of the files, shared by all processes; required without a bucket. */
  FILES_DIR: z.string().optional(),
  /** Bucket that stores the files instead of a folder. */
  FILES_S3_BUCKET: z.string().optional(),
  FILES_S3_REGION: z.string().default('us-east-1'),
  /** The operator's own S3-compatible server, reached without egress checks; AWS when left out. */
  FILES_S3_ENDPOINT: field.url().optional(),
  FILES_S3_ACCESS_KEY_ID: z.string().optional(),
  FILES_S3_SECRET_ACCESS_KEY: z.string().optional(),
};
export type FilesConfig = z.output<z.ZodObject<typeof filesConfig>>;

const KEYS = ['FILES_S3_ACCESS_KEY_ID', 'FILES_S3_SECRET_ACCESS_KEY'] as const;

/** Reports a bucket without its keys. */
export function requireBucketKeys(config: FilesConfig, context: z.RefinementCtx): void {
  if (config.FILES_S3_BUCKET === undefined) return;
  for (const name of KEYS.filter((key) => config[key] === undefined))
    context.addIssue({ code: 'custom', path: [name], message: 'is required' });
}

/** Reports that there is neither a folder nor a bucket with its keys. */
export function requireFileStorage(config: FilesConfig, context: z.RefinementCtx): void {
  if (config.FILES_S3_BUCKET === undefined && config.FILES_DIR === undefined)
    context.addIssue({ code: 'custom', path: ['FILES_DIR'], message: 'is required' });
  requireBucketKeys(config, context);
}
