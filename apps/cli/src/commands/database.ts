import { existsSync } from 'node:fs';
import { createUser, operatorActor } from '@millwright/auth';
import { migrate, migrationStatus, readMigrations, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Command } from 'commander';
import type { Config } from '../config.js';
import type { Run } from './run.js';

export function databaseCommands(program: Command, run: Run): void {
  const group = program.command('db').description('the database schema');
  group
    .command('migrate')
    .description('bring the database to the newest schema')
    .action(
      run(async ({ config, db }) => {
        const outcome = await migrate(config.DATABASE_URL, readMigrations(folder(config)));
        const email = config.JOBS_OWNER;
        return email === undefined ? outcome : { ...outcome, jobs_owner: await ensureJobsOwner(db, email) };
      }),
    );
  group
    .command('status')
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

/** The account that answers for scheduled jobs, made as an admin where there is none; the installation's first one may do everything. */
function ensureJobsOwner(db: Database, email: string): Promise<'exists' | 'created'> {
  return db.transaction(async (tx) => {
    if (await tx.user.findUnique({ where: { email } })) return 'exists';
    const actor = await operatorActor(tx);
    await createUser(tx, { email, name: 'Operator', role: 'admin', platformAdmin: !actor, project: 'Core' }, actor);
    return 'created';
  });
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
