import { join } from 'node:path';
import { createUser, operatorActor } from '@millwright/accounts';
import { applyRoles, directUrl, readRoles, type Database } from '@millwright/db';
import { countExisting } from '@millwright/db/quotas';
import { migrate, migrationStatus, prepareVectors, readMigrations } from '@millwright/db/migrations';
import { AppError } from '@millwright/errors';
import type { Command } from 'commander';
import { migrationsFolder } from '../database/migrations-folder.js';
import type { Run } from './run.js';

export function databaseCommands(program: Command, run: Run): void {
  const group = program.command('db').description('Manage the database schema');
  group
    .command('migrate')
    .description('Apply the pending migrations')
    .option('--roles', "create the services' database roles and give each its rights, and no others")
    .option('--jobs-owner', 'create the admin account that JOBS_OWNER names, if it does not exist')
    .action(
      run(async ({ config, db }, options: { roles?: true; jobsOwner?: true }) => {
        const migrations = migrationsFolder(config);
        const url = directUrl(config);
        const outcome = await migrate(url, readMigrations(migrations));
        const vectors = await prepareVectors(url);
        const counted = await countExisting(url);
        const roles = options.roles && (await applyRoles(url, readRoles(join(migrations, '../roles'))));
        const email = options.jobsOwner && config.JOBS_OWNER;
        const owner = email === undefined ? undefined : await ensureJobsOwner(db, email);
        return {
          ...outcome,
          vectors,
          ...(counted.length > 0 && { counted }),
          ...(roles && { roles }),
          ...(owner && { jobs_owner: owner }),
        };
      }),
    );
  group
    .command('status')
    .description('List applied and pending migrations. Exit code 1 while some are pending.')
    .action(
      run(async ({ config }) => {
        const status = await migrationStatus(directUrl(config), readMigrations(migrationsFolder(config)));
        if (status.pending.length > 0) {
          throw new AppError('conflict', {
            fields: status.pending.map((field) => ({ field, reason: 'is not applied' })),
          });
        }
        return status;
      }),
    );
}

/** Creates the admin account that owns the scheduled jobs, if it does not exist. An installation's first account is a platform admin. */
function ensureJobsOwner(db: Database, email: string): Promise<'exists' | 'created'> {
  return db.transaction(async (tx) => {
    if (await tx.user.findUnique({ where: { email } })) return 'exists';
    const actor = await operatorActor(tx);
    await createUser(tx, { email, name: 'Operator', role: 'admin', platformAdmin: !actor, project: 'Core' }, actor);
    return 'created';
  });
}
