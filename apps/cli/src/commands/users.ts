import { createUser, listUsers, operatorActor, promoteUser } from '@millwright/auth';
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
      run(({ db }, options: CreateOptions) =>
        db.transaction(async (tx) => createUser(tx, options, await operatorActor(tx))),
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
}
