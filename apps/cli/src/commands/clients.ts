import {
  issueOAuthClient,
  listOAuthClients,
  revokeOAuthClient,
  rotateOAuthClient,
  updateOAuthClient,
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
  mcpTools?: string[];
  project?: Project;
}

interface UpdateOptions {
  name?: string;
  redirectUri?: string[];
  mcpTools?: string[];
}

const mcpToolsOption = () =>
  new Option(
    '--mcp-tools <a,b>',
    'tools of MCP servers that it may use: server/tool, server/* or *, comma-separated; empty for none',
  ).argParser(commaList);

export function clientCommands(program: Command, run: Run): void {
  const clients = program.command('clients').description('OAuth clients of area C');
  clients
    .command('create')
    .description('issue a client; the answer is the only place that shows its secret')
    .requiredOption('--user <email>')
    .requiredOption('--name <name>')
    .option('--redirect-uri <uri...>', 'where its authorization codes may go; repeatable', [])
    .option('--scopes <a,b>', 'comma-separated, or * for all that the user may do', commaList, ['*'])
    .addOption(mcpToolsOption())
    .addOption(new Option('--project <project>', "the user's own when left out").choices(['Core', 'Commerce']))
    .action(
      run(({ change }, { redirectUri, ...options }: CreateOptions) =>
        change(async (tx, actor) => {
          const owner = await requireOwner(tx, options.user, options);
          const { name, mcpTools } = options;
          return issueOAuthClient(tx, { ...owner, name, redirectUris: redirectUri, mcpTools }, actor);
        }),
      ),
    );
  clients
    .command('list')
    .description('every client, newest first')
    .action(run(({ db }) => listOAuthClients(db)));
  clients
    .command('update')
    .description('change what is given, from its next request on')
    .argument('<id>')
    .option('--name <name>')
    .option('--redirect-uri <uri...>', 'all of them, in the place of those it has')
    .addOption(mcpToolsOption())
    .action(
      run(({ change }, { redirectUri: redirectUris, ...changes }: UpdateOptions, id: string) =>
        change((tx, actor) => updateOAuthClient(tx, id, { ...changes, ...(redirectUris && { redirectUris }) }, actor)),
      ),
    );
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
