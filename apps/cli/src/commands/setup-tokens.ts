import { issueSetupToken } from '@millwright/auth';
import type { Command } from 'commander';
import type { Run } from './run.js';

export function setupTokenCommands(program: Command, run: Run): void {
  program
    .command('setup-token')
    .description('one-shot tokens for the first passkey')
    .command('create')
    .description('for an existing account, good for 24 hours')
    .requiredOption('--email <email>')
    .action(
      run(async ({ config, change }, { email }: { email: string }) => {
        const issued = await change((tx, actor) => issueSetupToken(tx, email, actor));
        return { ...issued, setup_url: `${config.BASE_URL}/admin/add-passkey?token=${issued.token}` };
      }),
    );
}
