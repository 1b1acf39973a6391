import { recordDecision, type Actor } from '@millwright/audit';
import { queueNotice } from '@millwright/accounts';
import { encodeId, type Tx } from '@millwright/db';
import type { Logger } from '@millwright/http/process';
import type { SsoIssuer } from './sso-file.js';

/** Decides which accounts may sign in only at their issuer. */
export interface DomainCapture {
  /** Whether the address belongs to a captured domain and is not a break-glass account of the domain. */
  isCaptured: (email: string) => boolean;
  /** Whether the address belongs to an account that may sign in with a passkey while its issuer fails. */
  isBreakGlass: (email: string) => boolean;
}

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** Creates the capture of the domains of all issuers with `sso_only`. */
export function createDomainCapture(issuers: readonly SsoIssuer[]): DomainCapture {
  const exclusive = issuers.filter(({ ssoOnly }) => ssoOnly);
  const domains = new Set(exclusive.flatMap((issuer) => issuer.domains));
  const exempt = new Set(exclusive.flatMap(({ breakGlass }) => breakGlass).map((email) => email.toLowerCase()));
  const isBreakGlass = (email: string) => exempt.has(email.toLowerCase());
  return { isBreakGlass, isCaptured: (email) => domains.has(domainOf(email)) && !isBreakGlass(email) };
}

interface SignedIn {
  id: string;
  name: string;
  email: string;
  project: string;
}

/** Raises the alarm about a sign-in. */
export type RaiseAlarm = (
  tx: Tx,
  user: SignedIn,
  from: Pick<Actor, 'requestId' | 'ip'>,
  method: string,
) => Promise<void>;

/** Maximum number of platform admins who get a message. No installation has more platform admins. */
const MOST_NOTICES = 100;

/**
 * Creates the alarm about the sign-in of a break-glass account: an audit row, a log line at level error, and a message to each platform
 * admin. When the row or a message cannot be written, the sign-in fails.
 */
export function createBreakGlassAlarm(capture: DomainCapture, logger: Logger): RaiseAlarm {
  return async (tx, { id, name: label, email, project }, { requestId, ip }, method) => {
    if (!capture.isBreakGlass(email)) return;
    const resource = encodeId('usr', id);
    const actor: Actor = { userId: id, kind: 'user', label, requestId, ip };
    await recordDecision(tx, { actor, action: 'session.break_glass', resource, project, detail: { method } });
    const admins = await tx.user.findMany({
      where: { platform_admin: true, status: 'active' },
      select: { id: true, email: true },
      take: MOST_NOTICES,
    });
    for (const admin of admins) await queueNotice(tx, admin, 'break_glass_used', { requestId });
    const event = 'sso.break_glass';
    logger.error({ event, user: resource, method, request_id: requestId, ip }, 'a break-glass account signed in');
  };
}
