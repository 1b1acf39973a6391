import { issueDeviceCode, requireUser, type Project } from '@millwright/auth';
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
    .description('one-shot codes that link a device or log in the command line')
    .command('create')
    .description('for an active account, good for ten minutes')
    .requiredOption('--email <email>')
    .option('--name <name>', "the device's name")
    .addOption(new Option('--project <project>', "where an admin's device works").choices(['Core', 'Commerce']))
    .action(
      run(({ change }, { email, name: deviceName, project }: CreateOptions) =>
        change(async (tx, actor) => {
          const user = await requireUser(tx, email);
          return { email: user.email, ...(await issueDeviceCode(tx, { user, deviceName, project }, actor)) };
        }),
      ),
    );
}
