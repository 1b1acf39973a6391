import { createUser, issueRegistrationToken, type Project } from '@millwright/auth';
import type { Actor } from '@millwright/audit';
import type { Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';

export interface RegistrationRules {
  allowRegistration: boolean;
  claimRequiresInvite: boolean;
  defaultProject: Project;
}

export interface Registration {
  name: string;
  email: string;
  role: 'user' | 'admin';
}

type From = Pick<Actor, 'requestId' | 'ip'>;

/** Decisions §2, "Registration with role admin". Only operators make platform admins, so nobody claims one here. */
export function createRegistration({ allowRegistration, claimRequiresInvite, defaultProject }: RegistrationRules) {
  /**
   * A setup token for a new account, or for one that is there without a passkey. `null` when the account is not claimed this way;
   * nothing changes then.
   *
   * @throws AppError forbidden while registration is closed, unless an admin created the account.
   */
  return async (tx: Tx, { name, email, role }: Registration, from: From): Promise<string | null> => {
    const existing = await tx.user.findUnique({
      where: { email },
      include: { passkeys: { where: { removed_at: null }, take: 1 } },
    });
    const isInvited = existing !== null && !existing.self_registered;
    if (!allowRegistration && !isInvited) throw new AppError('forbidden');
    if (existing) {
      const isClaimable = existing.passkeys.length === 0 && existing.status === 'active' && !existing.platform_admin;
      if (!isClaimable || (isInvited && claimRequiresInvite)) return null;
    } else {
      const account = { name, email, role, platformAdmin: false, project: defaultProject, selfRegistered: true };
      await createUser(tx, account, undefined, from);
    }
    return (await issueRegistrationToken(tx, email, from)).token;
  };
}
export type Register = ReturnType<typeof createRegistration>;
