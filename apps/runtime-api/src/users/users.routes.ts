import type { Caller } from '@millwright/auth';
import { AppError } from '@millwright/errors';
import { route, type Reply, type Route } from '@millwright/http';
import * as contract from './users.contract.js';
import type { UserStore } from './users.store.js';

export function userRoutes(users: UserStore): Route[] {
  /** Records a refused change in a new transaction, because the transaction of the change is rolled back. */
  const keepingRefusals = (caller: Caller, action: string, id: string, change: Promise<Reply>) =>
    change.catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === 'forbidden')
        await users.recordRefusal(caller, action, id, reasonOf(error));
      throw error;
    });

  return [
    route(contract.listUsers, async ({ caller, query }) => ({ body: await users.list(caller.project, query) })),

    route(contract.createUser, ({ caller, body, commit }) =>
      commit(async (tx) => {
        const { record, version } = await users.create(tx, caller, body);
        return { body: record, version, headers: { Location: `/api/v1/users/${record.id}` } };
      }),
    ),

    route(contract.getUser, async ({ caller, params }) => {
      const user = await users.find(caller.project, params.user_id);
      if (!user) throw new AppError('not_found');
      return { body: user.record, version: user.version };
    }),

    route(contract.updateUser, ({ caller, principal, params, body, ifMatch, commit }) => {
      const change = commit(async (tx) => {
        const { record, version } = await users.change(
          tx,
          caller,
          { id: params.user_id, ifMatch, roles: principal.roles },
          body,
        );
        return { body: record, version };
      });
      return keepingRefusals(caller, 'user.update', params.user_id, change);
    }),

    route(contract.deactivateUser, ({ caller, principal, params, ifMatch, commit }) => {
      const change = commit(async (tx) => {
        const { record, version } = await users.deactivate(tx, caller, {
          id: params.user_id,
          ifMatch,
          roles: principal.roles,
        });
        return { body: record, version };
      });
      return keepingRefusals(caller, 'user.deactivate', params.user_id, change);
    }),
  ];
}

function reasonOf({ fields: [fault] }: AppError): string {
  return fault ? `the ${fault.field} ${fault.reason}` : 'only a platform admin may change a platform admin';
}
