import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createUser, operatorActor } from '@millwright/auth';
import { applyRoles, migrate, migrationStatus, readMigrations, readRoles, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Command } from 'commander';
import type { Config } from '../config.js';
import type { Run } from './run.js';

export function databaseCommands(program: Command, run: Run): void {
  const group = program.command('db').description('the database schema');
  group
    .command('migrate')
    .description('bring the database to the newest schema')
    .option('--roles', "give each area's database role its rights, and no others; makes the roles that are missing")
    .action(
      run(async ({ config, db }, options: { roles?: true }) => {
        const migrations = folder(config);
        const outcome = await migrate(config.DATABASE_URL, readMigrations(migrations));
        const roles = options.roles && (await applyRoles(config.DATABASE_URL, readRoles(join(migrations, '../roles'))));
        const owner = config.JOBS_OWNER === undefined ? undefined : await ensureJobsOwner(db, config.JOBS_OWNER);
        return { ...outcome, ...(roles && { roles }), ...(owner && { jobs_owner: owner }) };
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

/** Of the migrations, with the roles beside it: in an image beside the bundled program, else the checkout's. */
function folder(config: Config): string {
  const candidates = ['./migrations', '../../../prisma/migrations'].map(
    (path) => new URL(path, import.meta.url).pathname,
  );
  const found = config.MIGRATIONS_DIR ?? candidates.find((path) => existsSync(path));
  if (found === undefined)
    throw new AppError('not_found', { fields: [{ field: 'MIGRATIONS_DIR', reason: 'names no folder' }] });
  return found;
}
