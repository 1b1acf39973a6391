import { randomBytes } from 'node:crypto';
import { newId, type Database } from '@millwright/db';
import { CREDENTIALS_PER_ACCOUNT } from './rights/credential-limit.js';

/**
 * Distributes the keys or clients of a test over several accounts, because they would exceed the limit of one account.
 * The first keys or clients belong to the given account, and further keys or clients to further accounts with the same
 * rights.
 */
export function createTestOwners(db: Database) {
  const given = new Map<string, number>();
  const current = new Map<string, string>();

  async function copyOf(id: string): Promise<string> {
    const { name, role, project, platform_admin } = await db.prisma.user.findUniqueOrThrow({ where: { id } });
    const copy = newId();
    const email = `${copy}@owners.example`;
    const webauthn_user_id = new Uint8Array(randomBytes(32));
    await db.prisma.user.create({ data: { id: copy, email, name, role, project, platform_admin, webauthn_user_id } });
    return copy;
  }

  /** Returns the account that gets the next credential instead of `userId`. */
  return async (userId: string): Promise<string> => {
    const before = given.get(userId) ?? 0;
    given.set(userId, before + 1);
    if (before > 0 && before % CREDENTIALS_PER_ACCOUNT === 0) current.set(userId, await copyOf(userId));
    return current.get(userId) ?? userId;
  };
}
