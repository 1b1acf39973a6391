import { issueDeviceCode, requireUserByEmail } from '@millwright/accounts';
import type { Project } from '@millwright/auth';
import type { Command } from 'commander';
import { projectOption } from './project-option.js';
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
    .addOption(projectOption("project of an admin's device"))
    .action(
      run(({ change }, { email, name: deviceName, project }: CreateOptions) =>
        change(async (tx, actor) => {
          const user = await requireUserByEmail(tx, email);
          return { email: user.email, ...(await issueDeviceCode(tx, { user, deviceName, project }, actor)) };
        }),
      ),
    );
}
