import { recordDecision } from '@millwright/audit';
import { issuePat, listUserSessions, revokeUserSessions, useDeviceCode } from '@millwright/accounts';
import { findPat } from '@millwright/auth';
import { encodeId } from '@millwright/db';
import { Option, type Command } from 'commander';
import { homeFolder } from '../files/home-folder.js';
import { isAdminSession, readProfiles, writeProfiles } from '../files/profiles.js';
import { CommandRefused } from '../command-refused.js';
import { readSecret } from '../read-secret.js';
import { commandOrigin, type CliSession } from '../session.js';
import type { Run } from './run.js';

interface LoginOptions {
  profile: string;
  token?: true | string;
  code?: true | string;
}

/**
 * The error for a token in the arguments, which other users can see. A code may be given as an argument, because it works only once; a
 * token stays valid.
 */
const TOKEN_IN_ARGUMENTS =
  'Other users of this machine see the arguments of commands. Revoke this token, make another one, and give it on standard input: session login --token < file';

/** Lifetime of a command-line session that starts with a code. */
const SESSION_DAYS = 30;

export function sessionCommands(program: Command, run: Run): void {
  const sessions = program.command('sessions').description('Manage browser sessions of a user');
  sessions
    .command('list')
    .description('List live sessions, latest first')
    .argument('<email>')
    .action(run(({ db }, _options, email: string) => listUserSessions(db, email)));
  sessions
    .command('revoke')
    .description('Revoke one session, or all of them')
    .argument('<email>')
    .argument('[id]')
    .action(
      run(({ change }, _options, email: string, id?: string) =>
        change((tx, actor) => revokeUserSessions(tx, email, id, actor)),
      ),
    );

  const session = program.command('session').description('Run commands as an admin');
  session
    .command('login')
    .description('Log in as an admin, with a personal access token or a code of device-code create')
    .addOption(new Option('--profile <name>', 'name to keep the session under').default('default'))
    .addOption(
      new Option('--token [token]', 'personal access token of an admin, read from standard input').conflicts('code'),
    )
    .option('--code [code]', 'one-time code of an admin; read from standard input when left out')
    .action(run(login));
  session
    .command('switch')
    .description('Switch to another session; "none" is the operator of the installation')
    .argument('<profile>')
    .action(run((current, _options, name: string) => switchTo(current, name)));
}

async function login({ config, db, terminal }: CliSession, { profile, token, code }: LoginOptions): Promise<object> {
  if (profile === 'none' || profile.trim() === '') throw new CommandRefused('Choose another profile name than "none".');
  if (typeof token === 'string') throw new CommandRefused(TOKEN_IN_ARGUMENTS);
  if (token === undefined && code === undefined) throw new CommandRefused('Give --token or --code.');
  const given = typeof code === 'string' ? code : await readSecret(terminal, token ? 'token' : 'code');
  const text = token ? given : await redeem(db, given);
  const pat = await findPat(db, text);
  if (!pat || !isAdminSession(pat)) throw new CommandRefused('The token does not belong to an active admin.');
  await db.transaction((tx) =>
    recordDecision(tx, {
      actor: { userId: pat.user_id, kind: 'user', label: pat.user_name, origin: commandOrigin() },
      action: 'cli_session.create',
      resource: encodeId('key', pat.id),
      project: pat.project,
    }),
  );
  const home = homeFolder(config);
  const { profiles } = readProfiles(home);
  writeProfiles(home, { current: profile, profiles: { ...profiles, [profile]: { pat: text, email: pat.user_email } } });
  return { profile, email: pat.user_email };
}

/**
 * Exchanges a code for a token. When the user is not an admin, the code is refused and stays valid. @throws CommandRefused when the code is
 * refused
 */
async function redeem(db: CliSession['db'], code: string): Promise<string> {
  return db.transaction(async (tx) => {
    const used = await useDeviceCode(tx, code);
    if (!used) throw new CommandRefused('The code is not valid. It works once, for ten minutes.');
    const { role } = await tx.user.findUniqueOrThrow({ where: { id: used.user.id } });
    if (role !== 'admin') throw new CommandRefused('The code does not belong to an admin.');
    const actor = { userId: used.user.id, kind: 'user', label: used.user.name, origin: commandOrigin() } as const;
    const expiresAt = new Date(Date.now() + SESSION_DAYS * 86_400_000);
    const pat = { userId: used.user.id, name: 'Command line', project: used.project, expiresAt };
    return (await issuePat(tx, pat, actor)).text;
  });
}

async function switchTo({ config, db }: CliSession, name: string): Promise<object> {
  const home = homeFolder(config);
  const { profiles } = readProfiles(home);
  if (name === 'none') {
    writeProfiles(home, { current: null, profiles });
    return { profile: null, email: null };
  }
  const profile = profiles[name];
  const pat = profile && (await findPat(db, profile.pat));
  if (!profile) throw new CommandRefused(`There is no session "${name}". Log in: session login --profile ${name}`);
  if (!pat || !isAdminSession(pat))
    throw new CommandRefused(`The session "${name}" has ended. Log in again: session login`);
  writeProfiles(home, { current: name, profiles });
  return { profile: name, email: profile.email };
}
