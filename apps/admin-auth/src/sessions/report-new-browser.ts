import { queueNotice } from '@millwright/accounts';
import type { Tx } from '@millwright/db';
import { browserName } from '@millwright/pages';

/** Number of the user's earlier sessions that are compared, newest first. */
const MOST_KNOWN = 200;
const KNOWN_MS = 180 * 24 * 3_600_000;

/** The user who signed in, and the origin of the request. */
export interface SignedIn {
  user: { id: string; name: string; email: string; project: string };
  ip: string;
  userAgent: string;
  requestId: string;
}

/**
 * Queues a message to the user when none of their sessions of the last 180 days was opened in the same kind of browser on the same kind of
 * system. The first session of an account is not reported.
 */
export async function reportNewBrowser(tx: Tx, { user, ip, userAgent, requestId }: SignedIn): Promise<void> {
  const known = await tx.userSession.findMany({
    where: { user_id: user.id, created_at: { gt: new Date(Date.now() - KNOWN_MS) } },
    orderBy: { created_at: 'desc' },
    take: MOST_KNOWN,
    select: { user_agent: true },
  });
  const browser = browserName(userAgent);
  if (known.length === 0 || known.some(({ user_agent }) => browserName(user_agent) === browser)) return;
  await queueNotice(tx, user, 'new_browser', { requestId }, { browser, ip });
}
