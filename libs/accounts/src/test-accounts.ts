import { createDatabase, type Database } from '@millwright/db';
import type { TestDatabase } from '@millwright/testing';
import { createUser, type NewUser } from './users/users.store.js';
import type { Actor } from '@millwright/audit';

/** Creates a user who can own credentials. @returns the user, and an actor for the same user */
export async function makeUser(
  db: Database,
  email: string,
  changes: Partial<NewUser> = {},
): Promise<{ id: string; actor: Actor }> {
  const input = {
    email,
    name: email.split('@')[0] ?? email,
    role: 'user',
    platformAdmin: false,
    project: 'Core',
    ...changes,
  } as const;
  await db.transaction((tx) => createUser(tx, input));
  const { id, name } = await db.prisma.user.findUniqueOrThrow({ where: { email } });
  return { id, actor: { userId: id, kind: 'user', label: name } };
}

/** More grants than one statement can change within its time limit. */
export const MANY_GRANTS = 150_000;

/** Inserts grants of a machine client. */
export const makeGrants = ({ run }: TestDatabase, clientId: string, userId: string, count: number): Promise<void> =>
  run(
    `INSERT INTO oauth_grants (id, client_id, user_id, project, kind, scopes)
     SELECT gen_random_uuid(), $1::uuid, $2::uuid, 'Core', 'client_credentials', '{}' FROM generate_series(1, $3::int)`,
    [clientId, userId, count],
  );

export const openDatabase = (url: string): Database => createDatabase({ url, poolMax: 10 });
