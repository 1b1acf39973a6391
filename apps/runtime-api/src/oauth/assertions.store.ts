import { hashSecret } from '@millwright/auth';
import type { Database } from '@millwright/db';

/** Stores accepted assertions for all processes. Only this file of the runtime API writes them. */
export function createAssertionStore(db: Database) {
  return {
    /** Marks an assertion as used. `false` when it was used before. */
    async use(issuer: string, jti: string, expiresAt: Date): Promise<boolean> {
      const id = hashSecret(JSON.stringify([issuer, jti]));
      const count = await db.prisma.$executeRaw`
        INSERT INTO oauth_used_assertions (id, expires_at) VALUES (${id}, ${expiresAt}) ON CONFLICT DO NOTHING`;
      return count === 1;
    },
  };
}
export type AssertionStore = ReturnType<typeof createAssertionStore>;
