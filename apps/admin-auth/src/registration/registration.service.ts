import { AccountName, createUser, issueRegistrationToken, parseField, type SetupToken } from '@millwright/accounts';
import type { Project } from '@millwright/auth';
import type { Actor } from '@millwright/audit';
import type { Tx } from '@millwright/db';
import type { Config } from '../config.js';
import { AppError, invalidField } from '@millwright/errors';
import type { DomainCapture } from '../sso/domain-capture.js';

export interface RegistrationRules {
  allowRegistration: boolean;
  claimRequiresInvite: boolean;
  defaultProject: Project;
  /** Roles that a registrant may choose. */
  roles: readonly Registration['role'][];
  /** Domains of the addresses that may register, in lower case; empty when all may. */
  domains: readonly string[];
  /** Whether the setup link is sent to the email address. Otherwise, the setup token is returned in the answer. */
  sendsLink: boolean;
}

/** Derives the registration rules from the settings. */
export function registrationRules(config: Settings): RegistrationRules {
  const allowRegistration = config.SECURITY_ALLOW_REGISTRATION ?? true;
  return {
    allowRegistration,
    claimRequiresInvite: config.SECURITY_CLAIM_REQUIRES_INVITE ?? !allowRegistration,
    defaultProject: config.SECURITY_DEFAULT_PROJECT,
    roles: config.SECURITY_REGISTRATION_ROLES,
    domains: config.SECURITY_REGISTRATION_DOMAINS,
    sendsLink: allowRegistration && config.SECURITY_REGISTRATION_DOMAINS.length > 0,
  };
}

type Settings = Pick<
  Config,
  | 'SECURITY_ALLOW_REGISTRATION'
  | 'SECURITY_CLAIM_REQUIRES_INVITE'
  | 'SECURITY_DEFAULT_PROJECT'
  | 'SECURITY_REGISTRATION_ROLES'
  | 'SECURITY_REGISTRATION_DOMAINS'
>;

export interface Registration {
  name: string;
  email: string;
  role: 'user' | 'admin';
}

type From = Pick<Actor, 'requestId' | 'ip'>;

/** Creates functions that register accounts by the rules. Registration never makes a platform admin: only operators do. */
export function createRegistration(rules: RegistrationRules, capture: DomainCapture) {
  const { allowRegistration, claimRequiresInvite, defaultProject, roles, domains } = rules;

  /**
   * Checks the rules of registration. It must be called before the account is looked up, so that the answer does not reveal who has an
   * account.
   *
   * @throws AppError forbidden when nobody may register or claim an account; sso_required when the domain is captured; validation_error for
   * the field `name`, `role` or `email`.
   */
  function requireAllowed({ name, email, role }: Registration): void {
    if (!allowRegistration && claimRequiresInvite) throw new AppError('forbidden');
    parseField('name', AccountName, name);
    if (capture.isCaptured(email)) throw new AppError('sso_required');
    if (!allowRegistration) return;
    if (!roles.includes(role)) throw invalidField('role', `must be ${roles.join(' or ')}`);
    const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
    if (domains.length > 0 && !domains.includes(domain))
      throw invalidField('email', 'is not of a domain that may register');
  }

  /**
   * Returns a setup token for a new account, or for an existing account without a passkey. When registration cannot claim the account,
   * changes nothing and returns `null`.
   * @throws AppError forbidden while registration is closed, unless an admin created the account and it may be claimed without a setup
   * link; validation_error for the field `role` or `email`.
   */
  async function register(tx: Tx, registration: Registration, from: From): Promise<SetupToken | null> {
    requireAllowed(registration);
    const { name, email, role } = registration;
    const existing = await tx.user.findUnique({
      where: { email },
      include: {
        passkeys: { where: { removed_at: null }, take: 1 },
        sso_identities: { take: 1 },
        scim_users: { take: 1 },
      },
    });
    const isInvited = existing !== null && !existing.self_registered;
    if (!allowRegistration && !isInvited) throw new AppError('forbidden');
    if (existing) {
      // An account of an identity provider cannot be claimed: its user signs in at the provider and may have no passkey.
      const isProvided = existing.sso_identities.length + existing.scim_users.length > 0;
      const isClaimable =
        existing.passkeys.length === 0 && existing.status === 'active' && !existing.platform_admin && !isProvided;
      if (!isClaimable || (isInvited && claimRequiresInvite)) return null;
    } else {
      const account = { name, email, role, platformAdmin: false, project: defaultProject, selfRegistered: true };
      await createUser(tx, account, undefined, from);
    }
    return (await issueRegistrationToken(tx, email, from)) ?? null;
  }
  return { requireAllowed, register };
}
export type Registrations = ReturnType<typeof createRegistration>;
