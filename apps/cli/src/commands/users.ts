import {
  changeAccount,
  createUser,
  disableUser,
  enableUser,
  listUsers,
  promoteUser,
  requireUserByEmail,
  type UserRow,
} from '@millwright/accounts';
import { ACCOUNT_ROLES, accountRole, type AccountRole, type Project } from '@millwright/auth';
import { encodeId } from '@millwright/db';
import { Argument, Option, type Command } from 'commander';
import { commandOrigin } from '../session.js';
import { eraseCommand } from './erase.js';
import { projectOption } from './project-option.js';
import type { Run } from './run.js';

interface CreateOptions {
  email: string;
  name: string;
  role: AccountRole;
  platformAdmin: boolean;
  project: Project;
}

export function userCommands(program: Command, run: Run): void {
  const users = program.command('users').description('Manage users');
  users
    .command('create')
    .description('Create a user. Send them a setup link to enrol a passkey: setup-token create.')
    .requiredOption('--email <email>', 'email address')
    .requiredOption('--name <name>', 'display name')
    .addOption(new Option('--role <role>', 'role').choices(ACCOUNT_ROLES).default('user'))
    .option('--platform-admin', 'also administer the installation; no second person confirms it', false)
    .addOption(projectOption('project of the user').default('Core'))
    .action(
      run(({ db, actorOf }, options: CreateOptions) =>
        db.transaction(async (tx) => createUser(tx, options, await actorOf(tx), { origin: commandOrigin() })),
      ),
    );
  users
    .command('list')
    .description('List users, oldest first')
    .action(run(({ db }) => listUsers(db)));
  users
    .command('promote')
    .description('Make a user an admin')
    .argument('<email>')
    .action(run(({ change }, _options, email: string) => change((tx, actor) => promoteUser(tx, email, actor))));
  users
    .command('set-role')
    .description('Give a user another role. All but admin also end the role of platform admin.')
    .argument('<email>')
    .addArgument(new Argument('<role>', 'role').choices(ACCOUNT_ROLES))
    .action(
      run(({ change }, _options, email: string, role) =>
        change(async (tx, actor) => {
          const { id } = await requireUserByEmail(tx, email);
          return toResponse(
            await changeAccount(tx, id, { role: ACCOUNT_ROLES.find((one) => one === role) }, actor, () => undefined),
          );
        }),
      ),
    );
  users
    .command('disable')
    .description('Disable a user and revoke all their credentials')
    .argument('<email>')
    .option('--reason <text>', 'reason for the audit log')
    .action(
      run(({ change }, { reason }: { reason?: string }, email: string) =>
        change(async (tx, actor) => {
          const { id } = await requireUserByEmail(tx, email);
          return toResponse(await disableUser(tx, id, actor, () => undefined, reason));
        }),
      ),
    );
  users
    .command('enable')
    .description('Re-enable a user. Revoked credentials stay revoked.')
    .argument('<email>')
    .action(
      run(({ change }, _options, email: string) =>
        change(async (tx, actor) => {
          const { id } = await requireUserByEmail(tx, email);
          return toResponse(await enableUser(tx, id, actor, () => undefined));
        }),
      ),
    );
  eraseCommand(users, run);
}

const toResponse = ({ id, email, name, project, status, ...roles }: UserRow) => ({
  id: encodeId('usr', id),
  ...{ email, name, role: accountRole(roles), project, status },
});
