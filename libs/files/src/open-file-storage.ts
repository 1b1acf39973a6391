import type { FileStorage } from './file-storage.js';
import type { FilesConfig } from './config.js';
import { createFolderStorage } from './folder-storage.js';

/** Opens the configured bucket, or else the folder. The S3 client is large, so it is loaded only when it is used. */
export async function openFileStorage(config: FilesConfig): Promise<FileStorage> {
  if (config.FILES_S3_BUCKET === undefined) return createFolderStorage(config.FILES_DIR ?? '');
  const { createS3Storage } = await import('./s3-storage.js');
  return createS3Storage({
    bucket: config.FILES_S3_BUCKET,
    region: config.FILES_S3_REGION,
    endpoint: config.FILES_S3_ENDPOINT,
    accessKeyId: config.FILES_S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: config.FILES_S3_SECRET_ACCESS_KEY ?? '',
  });
}
