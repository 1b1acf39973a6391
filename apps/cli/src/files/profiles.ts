import { join } from 'node:path';
import type { Actor } from '@millwright/audit';
import { findPat, type FoundPat } from '@millwright/auth';
import type { Database } from '@millwright/db';
import { z } from 'zod';
import { CommandRefused } from '../command-refused.js';
import { readPrivate, writePrivate } from './private-file.js';

const Profiles = z.object({
  /** Name of the profile whose session the commands use. */
  current: z.string().nullable(),
  profiles: z.record(z.string(), z.object({ pat: z.string(), email: z.string() })),
});
export type Profiles = z.output<typeof Profiles>;

const fileOf = (home: string) => join(home, 'profiles.json');

export function readProfiles(home: string): Profiles {
  return readPrivate(fileOf(home), Profiles) ?? { current: null, profiles: {} };
}

export function writeProfiles(home: string, profiles: Profiles): void {
  writePrivate(fileOf(home), profiles);
}

/**
 * Returns the admin of the current session; `undefined` when there is no session.
 * @throws CommandRefused when the session has ended, so that no command runs for another account instead.
 */
export async function loggedInActor(db: Database, home: string): Promise<Actor | undefined> {
  const { current, profiles } = readProfiles(home);
  if (current === null) return undefined;
  const profile = profiles[current];
  const pat = profile && (await findPat(db, profile.pat));
  if (!pat || !isAdminSession(pat)) {
    throw new CommandRefused(
      `The session "${current}" has ended. Log in again: session login, or leave it: session switch none.`,
    );
  }
  return { userId: pat.user_id, kind: 'user', label: pat.user_name };
}

/** Whether a token allows a session at the command line: the token is live, and its owner is an active admin. */
export function isAdminSession(pat: FoundPat): boolean {
  return pat.live && pat.user_status === 'active' && pat.user_role === 'admin';
}
