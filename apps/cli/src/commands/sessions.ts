import { recordDecision } from '@millwright/audit';
import { findPat, issuePat, listSessions, revokeSessions, useDeviceCode } from '@millwright/auth';
import { encodeId } from '@millwright/db';
import { Option, type Command } from 'commander';
import { homeFolder } from '../files/home-folder.js';
import { isAdminSession, readProfiles, writeProfiles } from '../files/profiles.js';
import { Refusal } from '../output.js';
import type { Session } from '../session.js';
import type { Run } from './run.js';

interface LoginOptions {
  profile: string;
  token?: string;
  code?: string;
}

/** A command-line session that a code begins ends by itself after this long. */
const SESSION_DAYS = 30;

export function sessionCommands(program: Command, run: Run): void {
  const sessions = program.command('sessions').description('browser sessions of an account');
  sessions
    .command('list')
    .description('the live ones, latest first')
    .argument('<email>')
    .action(run(({ db }, _options, email: string) => listSessions(db, email)));
  sessions
    .command('revoke')
    .description('end one session, or all of them')
    .argument('<email>')
    .argument('[id]')
    .action(
      run(({ change }, _options, email: string, id?: string) =>
        change((tx, actor) => revokeSessions(tx, email, id, actor)),
      ),
    );

  const session = program.command('session').description("an admin's session at the command line");
  session
    .command('login')
    .description('act as an admin from now on: by a personal access token, or by a code of device-code create')
    .addOption(new Option('--profile <name>', 'under which name to keep it').default('default'))
    .addOption(new Option('--token <token>').conflicts('code'))
    .option('--code <code>')
    .action(run(login));
  session
    .command('switch')
    .description('act in another session; "none" is the operator of the installation')
    .argument('<profile>')
    .action(run((current, _options, name: string) => switchTo(current, name)));
}

async function login({ config, db }: Session, { profile, token, code }: LoginOptions): Promise<object> {
  if (profile === 'none' || profile.trim() === '') throw new Refusal('A profile is not named "none" or nothing.');
  const text = token ?? (code !== undefined ? await redeem(db, code) : undefined);
  if (text === undefined) throw new Refusal('Give --token or --code.');
  const pat = await findPat(db, text);
  if (!pat || !isAdminSession(pat)) throw new Refusal('The token is not one of an active admin.');
  await db.transaction((tx) =>
    recordDecision(tx, {
      actor: { userId: pat.user_id, kind: 'user', label: pat.user_name },
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

/** A token for a code; nothing is made for an account that is no admin's. @throws Refusal */
async function redeem(db: Session['db'], code: string): Promise<string> {
  return db.transaction(async (tx) => {
    const used = await useDeviceCode(tx, code);
    if (!used) throw new Refusal('The code is not good: it works once, for ten minutes.');
    const { role } = await tx.user.findUniqueOrThrow({ where: { id: used.user.id } });
    if (role !== 'admin') throw new Refusal('The code is not one of an admin.');
    const actor = { userId: used.user.id, kind: 'user', label: used.user.name } as const;
    const expiresAt = new Date(Date.now() + SESSION_DAYS * 86_400_000);
    const pat = { userId: used.user.id, name: 'Command line', project: used.project, expiresAt };
    return (await issuePat(tx, pat, actor)).text;
  });
}

async function switchTo({ config, db }: Session, name: string): Promise<object> {
  const home = homeFolder(config);
  const { profiles } = readProfiles(home);
  if (name === 'none') {
    writeProfiles(home, { current: null, profiles });
    return { profile: null, email: null };
  }
  const profile = profiles[name];
  const pat = profile && (await findPat(db, profile.pat));
  if (!profile) throw new Refusal(`There is no session "${name}". Log in: session login --profile ${name}`);
  if (!pat || !isAdminSession(pat)) throw new Refusal(`The session "${name}" is over. Log in again: session login`);
  writeProfiles(home, { current: name, profiles });
  return { profile: name, email: profile.email };
}
