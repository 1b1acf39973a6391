import { issueDeviceCode, requireUserByEmail } from '@millwright/accounts';
import type { Project } from '@millwright/auth';
import { Option, type Command } from 'commander';
import type { Run } from './run.js';

interface CreateOptions {
  email: string;
  name?: string;
  project?: Project;
}

export function deviceCodeCommands(program: Command, run: Run): void {
  program
    .command('device-code')
    .description('Create one-time codes for bridge login and session login')
    .command('create')
    .description('Create a one-time code for an active user (10 minutes)')
    .requiredOption('--email <email>', 'email address of the user')
    .option('--name <name>', 'name of the device')
    .addOption(new Option('--project <project>', "project of an admin's device").choices(['Core', 'Commerce']))
    .action(
      run(({ change }, { email, name: deviceName, project }: CreateOptions) =>
        change(async (tx, actor) => {
          const user = await requireUserByEmail(tx, email);
          return { email: user.email, ...(await issueDeviceCode(tx, { user, deviceName, project }, actor)) };
        }),
      ),
    );
}
