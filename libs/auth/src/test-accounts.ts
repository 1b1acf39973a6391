import { createDatabase, type Database } from '@millwright/db';
import { createUser, type NewUser } from './index.js';
import type { Actor } from '@millwright/audit';

/** A user to own credentials, and the same as an actor. */
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

export const openDatabase = (url: string): Database => createDatabase({ url, poolMax: 10 });
