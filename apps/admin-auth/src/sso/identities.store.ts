import { recordDecision, recordDenial, type Actor } from '@millwright/audit';
import { changeAccount, createUser, lockActiveAccountAlone, revokeUser } from '@millwright/accounts';
import { isProject } from '@millwright/accounts/projects';
import { accountRole, type Project } from '@millwright/auth';
import { conflictWhenTaken, encodeId, isStorable, newId, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { noteProof, openSession, type NewSession, type OpenedSession } from '../sessions/sessions.store.js';
import { domainOf } from './domain-capture.js';
import { rightsOf, type GroupRights } from './group-rights.js';
import type { Claims } from './issuer-client.js';
import { groupsOf } from './issuer-groups.js';
import { CLOCK_TOLERANCE } from './issuer-failures.js';
import type { SsoIssuer } from './sso-file.js';

/** Accepted difference between an issuer's clock and our clock, in milliseconds. */
const CLOCK_TOLERANCE_MS = CLOCK_TOLERANCE * 1_000;

const REGISTERED = 'linked to the owner of the address';

type From = Pick<NewSession, 'ip' | 'userAgent' | 'requestId' | 'held'>;
type User = NonNullable<Awaited<ReturnType<Tx['user']['findUnique']>>>;

/** Reason why a user of an issuer is refused. */
export type SsoRefusal =
  | 'no group gives access'
  | 'project of the group does not exist'
  | 'email not verified'
  | 'email of another domain'
  | 'linking by email is off'
  | 'account has another identity'
  | 'no account'
  | 'account disabled';

export type SsoSignIn = { opened: OpenedSession; isAdmin: boolean } | { refusal: SsoRefusal };

/** An error that rolls back a sign-in. */
class Refused extends Error {
  readonly reason: SsoRefusal;
  readonly user?: User;

  constructor(reason: SsoRefusal, user?: User) {
    super(reason);
    this.reason = reason;
    this.user = user;
  }
}

const actorOf = (user: Pick<User, 'id' | 'name'>, { ip, requestId }: Pick<From, 'ip' | 'requestId'>): Actor => ({
  userId: user.id,
  kind: 'user',
  label: user.name,
  ...{ ip, requestId },
});

/** Returns the user's verified address, which must belong to one of the issuer's domains. @throws Refused when there is no such address */
function requireEmail({ domains }: SsoIssuer, { email, isEmailVerified }: Claims): string {
  if (email === undefined || !isEmailVerified || !isStorable(email) || /\s/u.test(email))
    throw new Refused('email not verified');
  if (!domains.includes(domainOf(email))) throw new Refused('email of another domain');
  return email;
}

export function createIdentityStore(db: Database, defaultProject: Project, maxSessions: number) {
  const findUser = async (
    tx: Pick<Tx, 'ssoIdentity'>,
    { url }: SsoIssuer,
    { subject }: Claims,
  ): Promise<User | undefined> => {
    const identity = await tx.ssoIdentity.findUnique({
      where: { issuer_subject: { issuer: url, subject } },
      select: { user: true },
    });
    return identity?.user;
  };

  const isProvisioned = async (tx: Tx, { url }: SsoIssuer, userId: string) =>
    (await tx.scimUser.count({ where: { issuer: url, user_id: userId } })) > 0;

  /**
   * Returns the user's groups that SCIM provisioned. If the user has no linked account yet, these are the groups of the account that will
   * be linked.
   */
  async function provisionedGroups(tx: Tx, issuer: SsoIssuer, claims: Claims, found: User | undefined) {
    const { email = '', isEmailVerified } = claims;
    const user = found ?? (isEmailVerified ? await tx.user.findUnique({ where: { email } }) : null);
    return user ? groupsOf(tx, issuer, user.id) : [];
  }

  /** Links the identity to the account with its address, or to a new account, when the issuer's settings allow it. */
  async function link(tx: Tx, issuer: SsoIssuer, claims: Claims, rights: GroupRights | undefined, from: From) {
    const email = requireEmail(issuer, claims);
    const known = await tx.user.findUnique({ where: { email } });
    if (known && !issuer.linkByVerifiedEmail && !(await isProvisioned(tx, issuer, known.id)))
      throw new Refused('linking by email is off', known);
    if (known && known.status !== 'active') throw new Refused('account disabled', known);
    if (!known && !issuer.createAccounts) throw new Refused('no account');
    const user = known ?? (await create(tx, email, claims, rights, from));
    const taken = { issuer: issuer.url, user_id: user.id };
    const linked = await tx.ssoIdentity.findUnique({ where: { issuer_user_id: taken } });
    // A concurrent sign-in of the same user has linked the account.
    if (linked?.subject === claims.subject) return user;
    // The account with this email address is linked to another user of the issuer, so the sign-in is refused.
    if (linked) throw new Refused('account has another identity', user);
    // Anyone can register an address without proof. A stranger who registered this address earlier must lose access now.
    if (known?.self_registered)
      await revokeUser(tx, user.id, actorOf(user, from), () => undefined, { reason: REGISTERED, passkeys: true });
    await tx.ssoIdentity.create({ data: { id: newId(), ...taken, subject: claims.subject } });
    await recordDecision(tx, {
      actor: actorOf(user, from),
      action: 'sso_identity.create',
      resource: encodeId('usr', user.id),
      project: user.project,
      detail: { issuer: issuer.url, subject: claims.subject, by: known ? 'verified email' : 'new account' },
    });
    return user;
  }

  async function create(
    tx: Tx,
    email: string,
    { name = email }: Claims,
    rights: GroupRights | undefined,
    { ip, requestId }: From,
  ): Promise<User> {
    const { role = 'user', project = defaultProject } = rights ?? {};
    await createUser(tx, { email, name, role, project, platformAdmin: false }, undefined, { ip, requestId });
    return tx.user.findUniqueOrThrow({ where: { email } });
  }

  /** Applies the rights of the issuer's groups. Platform admins keep their role, because only an operator gives or removes this role. */
  async function applyRights(tx: Tx, user: User, issuer: SsoIssuer, rights: GroupRights, from: From): Promise<void> {
    if (user.platform_admin || (accountRole(user) === rights.role && user.project === rights.project)) return;
    const actor = { ...actorOf(user, from), origin: { issuer: issuer.url } };
    await changeAccount(tx, user.id, rights, actor, ({ platform_admin, status }) => {
      if (platform_admin || status !== 'active') throw new Refused('account disabled', user);
    });
  }

  async function open(tx: Tx, issuer: SsoIssuer, claims: Claims, from: From): Promise<SsoSignIn> {
    const found = await findUser(tx, issuer, claims);
    const provisioned = issuer.groups ? await provisionedGroups(tx, issuer, claims, found) : [];
    const rights = rightsOf(issuer.groups, [...claims.groups, ...provisioned]);
    if (rights === 'none') throw new Refused('no group gives access', found);
    if (rights && !(await isProject(tx, rights.project)))
      throw new Refused('project of the group does not exist', found);
    const user = found ?? (await link(tx, issuer, claims, rights, from));
    if (user.status !== 'active') throw new Refused('account disabled', user);
    if (rights) await applyRights(tx, user, issuer, rights, from);
    if (!(await lockActiveAccountAlone(tx, user.id))) throw new Refused('account disabled', user);
    const { url, name } = issuer;
    const current = await tx.user.findUniqueOrThrow({ where: { id: user.id } });
    const opened = await openSession(tx, {
      user: current,
      method: 'sso',
      ...from,
      detail: { issuer: url, sso: name },
      maxSessions,
    });
    const { subject, sid = null } = claims;
    await tx.ssoSession.create({ data: { session_id: opened.sessionId, issuer: url, subject, sid } });
    await tx.ssoIdentity.update({
      where: { issuer_subject: { issuer: url, subject } },
      data: { last_used_at: new Date() },
    });
    return { opened, isAdmin: current.role === 'admin' };
  }

  return {
    /**
     * Opens a session for an issuer's user. A refusal changes nothing; it is recorded when the account is known.
     *
     * @throws AppError conflict when the same user was linked at the same time.
     */
    async signIn(issuer: SsoIssuer, claims: Claims, from: From): Promise<SsoSignIn> {
      try {
        return await db.transaction((tx) => open(tx, issuer, claims, from).catch(conflictWhenTaken));
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        const { user, reason } = error;
        if (user) {
          const entry = { actor: actorOf(user, from), action: 'session.create', resource: encodeId('usr', user.id) };
          await recordDenial(
            db,
            { ...entry, project: user.project, detail: { issuer: issuer.url } },
            `single sign-on: ${reason}`,
          );
        }
        return { refusal: reason };
      }
    },

    /** Returns the identifier of the issuer that opened the session, and the user's address as login hint. */
    async issuerOf(sessionId: string): Promise<{ url: string; email: string } | undefined> {
      const found = await db.prisma.ssoSession.findUnique({
        where: { session_id: sessionId },
        select: { issuer: true, session: { select: { user: { select: { email: true } } } } },
      });
      return found ? { url: found.issuer, email: found.session.user.email } : undefined;
    },

    /**
     * Stores a new proof by the issuer for the session's user.
     *
     * @throws AppError forbidden when another user gave the proof, or when the proof is older than the request.
     */
    async proveSession(
      issuer: SsoIssuer,
      claims: Claims,
      session: { id: string; actor: Actor; project: string; since: Date },
    ): Promise<void> {
      const { id, actor, project, since } = session;
      const refuse = async (reason: string): Promise<never> => {
        const entry = { actor, action: 'session.step_up', resource: encodeId('ses', id), project };
        await recordDenial(db, { ...entry, detail: { issuer: issuer.url } }, reason);
        throw new AppError('forbidden');
      };
      const user = await findUser(db.prisma, issuer, claims);
      if (user?.id !== actor.userId) return refuse('single sign-on: proof by another user');
      const { authTime = 0 } = claims;
      if (authTime * 1_000 < since.getTime() - CLOCK_TOLERANCE_MS) return refuse('single sign-on: proof not recent');
      await db.transaction((tx) => noteProof(tx, id, actor, { issuer: issuer.url }));
    },
  };
}
export type IdentityStore = ReturnType<typeof createIdentityStore>;
