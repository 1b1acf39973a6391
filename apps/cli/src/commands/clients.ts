import {
  issueOAuthClient,
  listOAuthClients,
  revokeOAuthClient,
  rotateOAuthClient,
  updateOAuthClient,
} from '@millwright/accounts';
import type { Project } from '@millwright/auth';
import { Option, type Command } from 'commander';
import { overlapOption } from './overlap.js';
import { requireOwner } from './owner.js';
import { projectOption } from './project-option.js';
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
    'MCP tools it may use: server/tool, server/* or *, comma-separated; empty for none',
  ).argParser(commaList);

export function clientCommands(program: Command, run: Run): void {
  const clients = program.command('clients').description('Manage OAuth clients of the runtime API');
  clients
    .command('create')
    .description('Create an OAuth client. Its secret is shown once.')
    .requiredOption('--user <email>', 'owner of the client')
    .requiredOption('--name <name>', 'name in lists and on the consent page')
    .option('--redirect-uri <uri...>', 'allowed redirect URI; repeatable', [])
    .option('--scopes <a,b>', 'scopes, comma-separated; * for all of the user', commaList, ['*'])
    .addOption(mcpToolsOption())
    .addOption(projectOption("project of the client (default: the user's)"))
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
    .description('List OAuth clients, newest first')
    .action(run(({ db }) => listOAuthClients(db)));
  clients
    .command('update')
    .description('Change the given fields of a client')
    .argument('<id>')
    .option('--name <name>', 'new name')
    .option('--redirect-uri <uri...>', 'new redirect URIs; they replace all existing ones')
    .addOption(mcpToolsOption())
    .action(
      run(({ change }, { redirectUri: redirectUris, ...changes }: UpdateOptions, id: string) =>
        change((tx, actor) => updateOAuthClient(tx, id, { ...changes, ...(redirectUris && { redirectUris }) }, actor)),
      ),
    );
  clients
    .command('rotate')
    .description('Replace the secret. The old one goes on working for the overlap.')
    .argument('<id>')
    .addOption(overlapOption())
    .action(
      run(({ change }, options: { overlapHours: number }, id: string) =>
        change((tx, actor) => rotateOAuthClient(tx, id, actor, options)),
      ),
    );
  clients
    .command('revoke')
    .description('Revoke a client and all its grants')
    .argument('<id>')
    .action(run(({ change }, _options, id: string) => change((tx, actor) => revokeOAuthClient(tx, id, actor))));
}
