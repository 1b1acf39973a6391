import {
  KEY_LIFE_DAYS,
  expiryIn,
  issueApiKey,
  listApiKeys,
  listUnusedKeys,
  revokeApiKey,
  rotateApiKey,
} from '@millwright/accounts';
import type { Project } from '@millwright/auth';
import { PRESET_NAMES, SCOPE_PRESETS, type ScopePreset } from '@millwright/auth/scope-presets';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { overlapOption } from './overlap.js';
import { requireOwner } from './owner.js';
import { projectOption } from './project-option.js';
import { commaList, type Run } from './run.js';

type Life = number | 'never';

interface CreateOptions {
  user: string;
  name: string;
  scopes?: string[];
  preset?: ScopePreset;
  plan: 'standard' | 'professional';
  project?: Project;
  expiresDays: Life;
}

interface RotateOptions {
  overlapHours: number;
  expiresDays: Life;
}

export function keyCommands(program: Command, run: Run): void {
  const keys = program.command('keys').description('Manage API keys');
  keys
    .command('create')
    .description('Create an API key. It is shown once.')
    .requiredOption('--user <email>', 'owner of the key')
    .requiredOption('--name <name>', 'name in lists')
    .option('--scopes <a,b>', 'scopes, comma-separated (default: *, all of the user)', commaList)
    .addOption(
      new Option('--preset <preset>', 'the scopes of a common program').choices(PRESET_NAMES).conflicts('scopes'),
    )
    .addOption(new Option('--plan <plan>', 'rate-limit plan').choices(['standard', 'professional']).default('standard'))
    .addOption(projectOption("project of the key (default: the user's)"))
    .addOption(lifeOption())
    .action(
      run(({ change }, options: CreateOptions) =>
        change(async (tx, actor) => {
          const scopes = options.preset ? SCOPE_PRESETS[options.preset] : options.scopes;
          const owner = await requireOwner(tx, options.user, { ...options, scopes });
          const expiresAt = expiryIn(lifeDays(options.expiresDays));
          return issueApiKey(tx, { ...owner, name: options.name, expiresAt }, actor);
        }),
      ),
    );
  keys
    .command('list')
    .description('List API keys and personal access tokens, newest first')
    .action(run(({ db }) => listApiKeys(db)));
  keys
    .command('unused')
    .description('List live keys and tokens that were not used for some time, with their owners, at most 1,000')
    .addOption(
      new Option('--days <days>', 'not used for this many days')
        .argParser((text) => wholeDays(text))
        .default(KEY_LIFE_DAYS),
    )
    .action(run(({ db }, { days }: { days: number }) => listUnusedKeys(db, days)));
  keys
    .command('revoke')
    .description('Revoke a key. Requests with it fail immediately.')
    .argument('<id>')
    .action(run(({ change }, _options, id: string) => change((tx, actor) => revokeApiKey(tx, id, actor))));
  keys
    .command('rotate')
    .description('Replace a key. The old one goes on working for the overlap.')
    .argument('<id>')
    .addOption(overlapOption())
    .addOption(lifeOption())
    .action(
      run(({ change }, { overlapHours, expiresDays }: RotateOptions, id: string) =>
        change((tx, actor) => rotateApiKey(tx, id, actor, { overlapHours, lifeDays: lifeDays(expiresDays) })),
      ),
    );
}

const lifeOption = (): Option =>
  new Option('--expires-days <days>', 'expire after this many days, or "never"').argParser(days).default(KEY_LIFE_DAYS);

const lifeDays = (life: Life): number | null => (life === 'never' ? null : life);

const days = (text: string): Life => (text === 'never' ? text : wholeDays(text, ', or never'));

function wholeDays(text: string, otherwise = ''): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 3_650)
    throw new InvalidArgumentError(`must be a whole number from 1 to 3650${otherwise}.`);
  return value;
}
