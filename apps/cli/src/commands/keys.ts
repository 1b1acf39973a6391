import { issueApiKey, listApiKeys, revokeApiKey, rotateApiKey, type Project } from '@millwright/auth';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { overlapOption } from './overlap.js';
import { requireOwner } from './owner.js';
import { commaList, type Run } from './run.js';

interface CreateOptions {
  user: string;
  name: string;
  scopes: string[];
  plan: 'standard' | 'professional';
  project?: Project;
  expiresDays?: number;
}

export function keyCommands(program: Command, run: Run): void {
  const keys = program.command('keys').description('API keys of areas B and D');
  keys
    .command('create')
    .description('issue an API key; the answer is the only place that shows it')
    .requiredOption('--user <email>')
    .requiredOption('--name <name>')
    .option('--scopes <a,b>', 'comma-separated, or * for all that the user may do', commaList, ['*'])
    .addOption(new Option('--plan <plan>').choices(['standard', 'professional']).default('standard'))
    .addOption(new Option('--project <project>', "the user's own when left out").choices(['Core', 'Commerce']))
    .option('--expires-days <days>', 'refused after so many days', days)
    .action(
      run(({ change }, options: CreateOptions) =>
        change(async (tx, actor) => {
          const owner = await requireOwner(tx, options.user, options);
          const expiresAt = options.expiresDays ? new Date(Date.now() + options.expiresDays * 86_400_000) : undefined;
          return issueApiKey(tx, { ...owner, name: options.name, expiresAt }, actor);
        }),
      ),
    );
  keys
    .command('list')
    .description('every API key and personal access token, newest first')
    .action(run(({ db }) => listApiKeys(db)));
  keys
    .command('revoke')
    .description('refuse a key from its next request on')
    .argument('<id>')
    .action(run(({ change }, _options, id: string) => change((tx, actor) => revokeApiKey(tx, id, actor))));
  keys
    .command('rotate')
    .description('issue a successor beside which the old key works on for a while')
    .argument('<id>')
    .addOption(overlapOption())
    .action(
      run(({ change }, options: { overlapHours: number }, id: string) =>
        change((tx, actor) => rotateApiKey(tx, id, actor, options)),
      ),
    );
}

function days(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 3_650)
    throw new InvalidArgumentError('must be a whole number from 1 to 3650.');
  return value;
}
