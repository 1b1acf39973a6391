import { randomBytes } from 'node:crypto';
import type { Actor } from '@millwright/audit';
import { createDatabase, newId, type Database } from '@millwright/db';
import type { Project } from './index.js';

/** Creates a user for tests. Returns the user, and an actor for the same user. */
export async function makeUser(
  db: Database,
  email: string,
  { role = 'user', project = 'Core' }: { role?: 'user' | 'admin'; project?: Project } = {},
): Promise<{ id: string; actor: Actor }> {
  const [id, name] = [newId(), email.split('@')[0] ?? email];
  const webauthn_user_id = new Uint8Array(randomBytes(32));
  await db.prisma.user.create({ data: { id, email, name, role, project, webauthn_user_id } });
  return { id, actor: { userId: id, kind: 'user', label: name } };
}

export const openDatabase = (url: string): Database => createDatabase({ url, poolMax: 10 });
