import {
  createUser,
  disableUser,
  enableUser,
  listUsers,
  promoteUser,
  requireUser,
  type UserRow,
} from '@millwright/auth';
import { encodeId } from '@millwright/db';
import { Option, type Command } from 'commander';
import type { Run } from './run.js';

interface CreateOptions {
  email: string;
  name: string;
  role: 'user' | 'admin';
  platformAdmin: boolean;
  project: 'Core' | 'Commerce';
}

export function userCommands(program: Command, run: Run): void {
  const users = program.command('users').description('accounts');
  users
    .command('create')
    .description('create an account; it signs in once a passkey is enrolled with a setup token')
    .requiredOption('--email <email>')
    .requiredOption('--name <name>')
    .addOption(new Option('--role <role>').choices(['user', 'admin']).default('user'))
    .option('--platform-admin', 'may also administer the installation', false)
    .addOption(new Option('--project <project>').choices(['Core', 'Commerce']).default('Core'))
    .action(
      run(({ db, actorOf }, options: CreateOptions) =>
        db.transaction(async (tx) => createUser(tx, options, await actorOf(tx))),
      ),
    );
  users
    .command('list')
    .description('every account')
    .action(run(({ db }) => listUsers(db)));
  users
    .command('promote')
    .description('make a user an admin')
    .argument('<email>')
    .action(run(({ change }, _options, email: string) => change((tx, actor) => promoteUser(tx, email, actor))));
  users
    .command('disable')
    .description('shut an account out, with every credential revoked')
    .argument('<email>')
    .option('--reason <text>', 'why, for the trail')
    .action(
      run(({ change }, { reason }: { reason?: string }, email: string) =>
        change(async (tx, actor) => {
          const { id } = await requireUser(tx, email);
          return shown(await disableUser(tx, id, actor, () => undefined, reason));
        }),
      ),
    );
  users
    .command('enable')
    .description('let a disabled account in again; what was revoked stays so')
    .argument('<email>')
    .action(
      run(({ change }, _options, email: string) =>
        change(async (tx, actor) => {
          const { id } = await requireUser(tx, email);
          return shown(await enableUser(tx, id, actor, () => undefined));
        }),
      ),
    );
}

const shown = ({ id, email, name, role, project, status }: UserRow) => ({
  id: encodeId('usr', id),
  ...{ email, name, role, project, status },
});
