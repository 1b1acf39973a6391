import { recordDenial } from '@millwright/audit';
import {
  changeAccount,
  createUser,
  deactivateUser,
  disableUser,
  enableUser,
  issueSetupToken,
  listUserPasskeys,
  removeUserPasskeys,
  revokeUser,
  type AccountGuard,
} from '@millwright/accounts';
import { listSsoIdentities, unlinkSsoIdentity } from '@millwright/accounts/identities';
import { refuseOtherProject, requireProject } from '@millwright/accounts/projects';
import { accountRole, type Caller, type Principal, type Project } from '@millwright/auth';
import { decodeId, isUuid, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { route, type Reply, type Route } from '@millwright/http';
import { revokeConsent, type ConsentStore } from '../consent/consent.store.js';
import { requirePasskeyId } from '../passkeys/passkeys.routes.js';
import * as contract from './users.contract.js';
import type { UserStore } from './users.store.js';

/** A request to change an account. */
interface Change {
  params: { user_id: string };
  principal: Principal;
  caller: Caller;
  ifMatch: readonly number[] | undefined;
  commit: (work: (tx: Tx) => Promise<Reply>) => Promise<Reply>;
}

/** @throws AppError not_found when the id is malformed. */
function requireId({ user_id }: { user_id: string }): string {
  const id = decodeId('usr', user_id);
  if (!id) throw new AppError('not_found');
  return id;
}

/**
 * Makes the check that runs before an account is changed.
 * @throws AppError not_found when the principal cannot reach the account, forbidden when the account has a higher rank, precondition_failed
 * when `If-Match` names an old version.
 */
const guardOf =
  ({ principal, ifMatch }: Change): AccountGuard =>
  (user) => {
    requireInReach(principal, user);
    // An admin who could take over or disable a platform admin would in effect have that role.
    if (user.platform_admin && !principal.roles.includes('platform_admin')) throw new AppError('forbidden');
    if (isProjectAdmin(principal) && accountRole(user) !== 'user') throw new AppError('forbidden');
    if (ifMatch && !ifMatch.includes(user.version)) throw new AppError('precondition_failed');
  };

/** Whether a person administers only one project. */
const isProjectAdmin = ({ roles }: Pick<Principal, 'roles'>) => !roles.includes('admin');

/** Returns the only project whose accounts a person can reach; `undefined` when the person can reach all projects. */
const reachOf = (principal: Principal): Project | undefined =>
  isProjectAdmin(principal) ? principal.project : undefined;

/** @throws AppError not_found when the account belongs to a project that the person cannot reach. */
function requireInReach(principal: Principal, { project }: { project: string }): void {
  if (isProjectAdmin(principal) && project !== principal.project) throw new AppError('not_found');
}

/** @throws AppError forbidden for changes that only an admin may make: role, project, removal of the ways to sign in. */
function requireAdminFor(principal: Principal, changes: Readonly<Record<string, unknown>>): void {
  if (isProjectAdmin(principal) && Object.values(changes).some((value) => value !== undefined && value !== false))
    throw new AppError('forbidden');
}

/** Makes the endpoints of `/admin/api/users`. Admins reach all accounts, project admins reach the accounts of their project. */
export function userRoutes(db: Database, users: UserStore, consents: ConsentStore, baseUrl: string): Route[] {
  const setupUrl = (token: string) => `${baseUrl}/admin/add-passkey#token=${token}`;

  /** Changes an account. When the change is refused, the attempt is recorded. */
  async function change(
    call: Change,
    action: string,
    work: (tx: Tx, id: string, guard: AccountGuard) => Promise<Reply>,
  ): Promise<Reply> {
    const id = requireId(call.params);
    try {
      return await call.commit((tx) => work(tx, id, guardOf(call)));
    } catch (error) {
      const reason = refusalOf(error, call.principal);
      const { actor, project } = call.caller;
      if (reason) await recordDenial(db, { actor, action, resource: call.params.user_id, project }, reason);
      throw error;
    }
  }

  return [
    route(contract.listUsers, async ({ principal, query }) => {
      const { page, per_page } = query;
      const reach = reachOf(principal);
      if (query.project !== undefined && query.project !== reach) {
        if (reach) refuseOtherProject(query.project);
        await requireProject(db.prisma, query.project);
      }
      return { body: { ...(await users.list({ ...query, ...(reach && { project: reach }) })), page, per_page } };
    }),

    route(contract.createUser, async ({ body, principal, caller, commit }) => {
      const own = reachOf(principal);
      const { role, project = own ?? 'Core' } = body;
      if (own && (role !== 'user' || project !== own)) {
        const { actor } = caller;
        await recordDenial(db, { actor, action: 'user.create', resource: 'users', project: own }, BEYOND_PROJECT);
        throw new AppError('forbidden');
      }
      return commit(async (tx) => {
        await createUser(tx, { ...body, project, platformAdmin: false }, caller.actor);
        const { token, email, expires_at } = await issueSetupToken(tx, body.email.trim(), caller.actor);
        const shown = await users.shown(tx, await users.idOf(tx, email));
        return { ...shown, body: { ...shown.body, setup_url: setupUrl(token), setup_expires_at: expires_at } };
      });
    }),

    route(contract.getUser, async ({ params, principal }) => {
      const id = requireId(params);
      const [found, allowed] = await Promise.all([users.find(id, principal.credential.id), consents.list(id)]);
      if (!found) throw new AppError('not_found');
      requireInReach(principal, found.detail);
      // The answer must not be cached: its version changes with the account's row, but not with the account's sessions and credentials.
      return {
        body: { ...found.detail, consents: allowed },
        version: found.version,
        headers: { 'Cache-Control': 'no-store' },
      };
    }),

    route(contract.updateUser, (call) =>
      change(call, 'user.update', async (tx, id, guard) => {
        const { name, ...rights } = call.body;
        const allow: AccountGuard = (user) => {
          guard(user);
          requireAdminFor(call.principal, rights);
        };
        await changeAccount(tx, id, { name, ...rights }, call.caller.actor, allow);
        return users.shown(tx, id);
      }),
    ),

    route(contract.changeEmail, (call) =>
      change(call, 'user.update', async (tx, id, guard) => {
        await changeAccount(tx, id, call.body, call.caller.actor, guard);
        return users.shown(tx, id);
      }),
    ),

    route(contract.disableUser, (call) =>
      change(call, 'user.disable', async (tx, id, guard) => {
        await disableUser(tx, id, call.caller.actor, guard, call.body.reason);
        return users.shown(tx, id);
      }),
    ),

    route(contract.enableUser, (call) =>
      change(call, 'user.enable', async (tx, id, guard) => {
        await enableUser(tx, id, call.caller.actor, guard);
        return users.shown(tx, id);
      }),
    ),

    route(contract.revokeUser, (call) =>
      change(call, 'user.revoke_credentials', async (tx, id, guard) => {
        const allow: AccountGuard = (user) => {
          guard(user);
          requireAdminFor(call.principal, { passkeys: call.body.passkeys });
        };
        return { body: { revoked: await revokeUser(tx, id, call.caller.actor, allow, call.body) } };
      }),
    ),

    route(contract.listUserPasskeys, async ({ params, principal }) => {
      const id = requireId(params);
      const found = await users.projectOf(id);
      if (!found) throw new AppError('not_found');
      requireInReach(principal, found);
      return { body: { items: await listUserPasskeys(db, id) } };
    }),

    route(contract.removeUserPasskey, (call) =>
      change(call, 'passkey.remove', async (tx, id, guard) => {
        await removeUserPasskeys(tx, id, requirePasskeyId(call.params.passkey_id), call.caller.actor, guard);
        return {};
      }),
    ),

    route(contract.listUserIdentities, async ({ params, principal }) => {
      const id = requireId(params);
      const found = await users.projectOf(id);
      if (!found) throw new AppError('not_found');
      requireInReach(principal, found);
      return { body: { items: await listSsoIdentities(db, id) } };
    }),

    route(contract.unlinkUserIdentity, (call) =>
      change(call, 'sso_identity.delete', async (tx, id, guard) => {
        const identity = call.params.identity_id;
        if (!isUuid(identity)) throw new AppError('not_found');
        await unlinkSsoIdentity(tx, id, { id: identity }, call.caller.actor, guard);
        return {};
      }),
    ),

    route(contract.createSetupToken, (call) =>
      change(call, 'setup_token.create', async (tx, id, guard) => {
        const user = await tx.user.findUnique({ where: { id } });
        if (!user) throw new AppError('not_found');
        guard(user);
        const { token, expires_at } = await issueSetupToken(tx, user.email, call.caller.actor);
        return { body: { setup_url: setupUrl(token), expires_at } };
      }),
    ),

    route(contract.revokeUserConsent, (call) =>
      change(call, 'oauth_consent.revoke', async (tx, id, guard) => {
        const user = await tx.user.findUnique({ where: { id } });
        if (!user) throw new AppError('not_found');
        guard(user);
        if (!(await revokeConsent(tx, id, call.params.consent_id, call.caller.actor))) throw new AppError('not_found');
        return {};
      }),
    ),

    route(contract.deleteUser, (call) =>
      change(call, 'user.deactivate', async (tx, id, guard) => {
        await deactivateUser(tx, id, call.caller.actor, guard);
        return {};
      }),
    ),
  ];
}

const BEYOND_PROJECT = 'a project admin changes only users of the project, and gives no role';

/** Returns the reason that the audit log contains for a refused attempt; `undefined` when the attempt is not recorded. */
function refusalOf(error: unknown, principal: Principal): string | undefined {
  if (!(error instanceof AppError)) return undefined;
  if (error.code === 'forbidden')
    return isProjectAdmin(principal) ? BEYOND_PROJECT : 'only a platform admin may change a platform admin';
  if (error.code === 'conflict') return error.fields[0]?.reason ?? 'conflicts with the current state';
  return undefined;
}
