import type { Tx } from '@millwright/db';

/** PostgreSQL's NOTIFY channel on which processes hear whose open streams to close. The payload is a user's UUID. */
export const REVOCATIONS = 'millwright_revocations';

/**
 * Heard by every process once the transaction is committed, and never if it is not. Noted with the account, too: a process that is
 * not connected at that moment reads there what it missed.
 */
export async function announceRevocation(tx: Tx, userId: string): Promise<void> {
  await tx.$executeRaw`UPDATE users SET credentials_revoked_at = now() WHERE id = ${userId}::uuid`;
  await tx.$executeRaw`SELECT pg_notify(${REVOCATIONS}, ${userId})`;
}
