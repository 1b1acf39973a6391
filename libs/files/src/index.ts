export { NoSuchFile, type FileStorage } from './file-storage.js';
export { filesConfig, requireBucketKeys, requireFileStorage, type FilesConfig } from './config.js';
export { createFolderStorage } from './folder-storage.js';
export { openFileStorage } from './open-file-storage.js';
