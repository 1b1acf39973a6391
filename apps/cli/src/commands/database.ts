import { existsSync } from 'node:fs';
import { migrate, migrationStatus, readMigrations } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Command } from 'commander';
import type { Config } from '../config.js';
import type { Run } from './run.js';

export function databaseCommands(program: Command, run: Run): void {
  const db = program.command('db').description('the database schema');
  db.command('migrate')
    .description('bring the database to the newest schema')
    .action(run(({ config }) => migrate(config.DATABASE_URL, readMigrations(folder(config)))));
  db.command('status')
    .description('which migrations are applied; exit code 1 while some are not')
    .action(
      run(async ({ config }) => {
        const status = await migrationStatus(config.DATABASE_URL, readMigrations(folder(config)));
        if (status.pending.length > 0) {
          throw new AppError('conflict', {
            fields: status.pending.map((field) => ({ field, reason: 'is not applied' })),
          });
        }
        return status;
      }),
    );
}

/** Beside the bundled program in an image, else the checkout's. */
function folder(config: Config): string {
  const candidates = ['./migrations', '../../../prisma/migrations'].map(
    (path) => new URL(path, import.meta.url).pathname,
  );
  const found = config.MIGRATIONS_DIR ?? candidates.find((path) => existsSync(path));
  if (found === undefined)
    throw new AppError('not_found', { fields: [{ field: 'MIGRATIONS_DIR', reason: 'names no folder' }] });
  return found;
}
