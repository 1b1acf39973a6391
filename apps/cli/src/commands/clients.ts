import {
  issueOAuthClient,
  listOAuthClients,
  revokeOAuthClient,
  rotateOAuthClient,
  type Project,
} from '@millwright/auth';
import { Option, type Command } from 'commander';
import { overlapOption } from './overlap.js';
import { requireOwner } from './owner.js';
import { commaList, type Run } from './run.js';

interface CreateOptions {
  user: string;
  name: string;
  redirectUri: string[];
  scopes: string[];
  project?: Project;
}

export function clientCommands(program: Command, run: Run): void {
  const clients = program.command('clients').description('OAuth clients of area C');
  clients
    .command('create')
    .description('issue a client; the answer is the only place that shows its secret')
    .requiredOption('--user <email>')
    .requiredOption('--name <name>')
    .option('--redirect-uri <uri...>', 'where its authorization codes may go; repeatable', [])
    .option('--scopes <a,b>', 'comma-separated, or * for all that the user may do', commaList, ['*'])
    .addOption(new Option('--project <project>', "the user's own when left out").choices(['Core', 'Commerce']))
    .action(
      run(({ change }, { redirectUri, ...options }: CreateOptions) =>
        change(async (tx, actor) => {
          const owner = await requireOwner(tx, options.user, options);
          return issueOAuthClient(tx, { ...owner, name: options.name, redirectUris: redirectUri }, actor);
        }),
      ),
    );
  clients
    .command('list')
    .description('every client, newest first')
    .action(run(({ db }) => listOAuthClients(db)));
  clients
    .command('rotate')
    .description('issue a new secret beside which the old one works on for a while')
    .argument('<id>')
    .addOption(overlapOption())
    .action(
      run(({ change }, options: { overlapHours: number }, id: string) =>
        change((tx, actor) => rotateOAuthClient(tx, id, actor, options)),
      ),
    );
  clients
    .command('revoke')
    .description('end a client and everything it was granted')
    .argument('<id>')
    .action(run(({ change }, _options, id: string) => change((tx, actor) => revokeOAuthClient(tx, id, actor))));
}
