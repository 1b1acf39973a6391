import { issueSetupToken } from '@millwright/accounts';
import type { Command } from 'commander';
import type { Run } from './run.js';

export function setupTokenCommands(program: Command, run: Run): void {
  program
    .command('setup-token')
    .description('Create setup links')
    .command('create')
    .description('Create a one-time setup link for the first passkey (24 hours)')
    .requiredOption('--email <email>', 'email address of the user')
    .action(
      run(async ({ config, change }, { email }: { email: string }) => {
        const issued = await change((tx, actor) => issueSetupToken(tx, email, actor));
        return { ...issued, setup_url: `${config.BASE_URL}/admin/add-passkey#token=${issued.token}` };
      }),
    );
}
