import { existsSync } from 'node:fs';
import { AppError } from '@millwright/errors';
import type { Config } from '../config.js';

/**
 * Returns the folder with the migrations and the database roles: MIGRATIONS_DIR if it is set, otherwise next to the program in an image, or
 * in the checkout.
 */
export function migrationsFolder(config: Pick<Config, 'MIGRATIONS_DIR'>): string {
  const candidates = ['./migrations', '../../../prisma/migrations', '../../../../prisma/migrations'].map(
    (path) => new URL(path, import.meta.url).pathname,
  );
  const found = config.MIGRATIONS_DIR ?? candidates.find((path) => existsSync(path));
  if (found === undefined)
    throw new AppError('not_found', {
      fields: [{ field: 'MIGRATIONS_DIR', reason: 'must name the folder of the migrations' }],
    });
  return found;
}
