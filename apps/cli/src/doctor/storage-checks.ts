import { randomUUID } from 'node:crypto';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openFileStorage } from '@millwright/files';
import type { Config } from '../config.js';
import { failed, ok, skipped, warning, type Check, type Finding } from './check.js';

/** Share of a file system. When less than this share is free, the file system is reported. */
const LEAST_FREE = 0.1;

export const storageChecks: readonly Check[] = [
  {
    name: 'file storage',
    next: 'Check that FILES_DIR exists, and that the user of the runtime API may write there.',
    async run({ config }) {
      const { FILES_DIR: folder, FILES_S3_BUCKET: bucket } = config;
      if (bucket !== undefined) return [await reachable(config, bucket)];
      if (folder === undefined) return [skipped('FILES_DIR')];
      return [await writable(folder), await space(folder)];
    },
  },
];

async function reachable(config: Config, bucket: string): Promise<Finding> {
  const storage = await openFileStorage(config);
  try {
    await storage.check();
    return ok(`the bucket ${bucket} answers`);
  } catch (error) {
    const { name } = error as Error;
    const next =
      'Check FILES_S3_ENDPOINT, FILES_S3_REGION and the bucket, and that its key may list the prefix files/.';
    return failed(`the bucket ${bucket} cannot be used: ${name}`, next);
  } finally {
    storage.close();
  }
}

async function writable(folder: string): Promise<Finding> {
  const file = join(folder, `.doctor-${randomUUID()}`);
  try {
    await writeFile(file, 'x', { flag: 'wx' });
  } catch (error) {
    const { code = 'an error' } = error as NodeJS.ErrnoException;
    return failed(`${folder} cannot be written: ${code}`, 'Give its folder to the user of the runtime API.');
  } finally {
    await rm(file, { force: true });
  }
  return ok(`${folder} can be written`);
}

async function space(folder: string): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const text = `${Math.floor((bavail * bsize) / 1_048_576)} MiB are free`;
  return bavail < blocks * LEAST_FREE ? warning(text, 'Enlarge the volume, or delete files.') : ok(text);
}
