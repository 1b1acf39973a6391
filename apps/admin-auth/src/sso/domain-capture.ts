import { recordDecision, type Actor } from '@millwright/audit';
import { queueNotice } from '@millwright/accounts';
import { encodeId, type Tx } from '@millwright/db';
import type { Logger } from '@millwright/http/process';
import type { SsoIssuer } from './sso-file.js';

/** Decides which accounts sign in at their issuer only. */
export interface DomainCapture {
  /** Whether the address is of a domain whose accounts have no other way in, and none of its break-glass accounts. */
  isCaptured: (email: string) => boolean;
  /** Whether the address is of an account that signs in with a passkey while its issuer fails. */
  isBreakGlass: (email: string) => boolean;
}

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** The domains of the issuers with `sso_only`. */
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

/** More platform admins than an installation has. */
const MOST_NOTICES = 100;

/**
 * The alarm of a break-glass account that signs in: an audit row, a log line at level error, and a message to each platform admin.
 * The sign-in does not happen without the row and the messages.
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
