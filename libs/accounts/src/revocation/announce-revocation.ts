import { REVOCATIONS } from '@millwright/auth';
import type { Tx } from '@millwright/db';

/**
 * Makes every process close the account's open streams once the transaction is committed, and never after a rollback. The time is also
 * stored with the account, for processes whose connection for notifications is interrupted at that moment.
 */
export async function announceRevocation(tx: Tx, userId: string): Promise<void> {
  await tx.$executeRaw`UPDATE users SET credentials_revoked_at = now() WHERE id = ${userId}::uuid`;
  await tx.$executeRaw`SELECT pg_notify(${REVOCATIONS}, ${userId})`;
}
