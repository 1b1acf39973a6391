import { toPasskeyRecord } from '@millwright/accounts';
import { decodeId } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import * as contract from './passkeys.contract.js';
import type { PasskeyStore } from './passkeys.store.js';
import type { RelyingParty } from './relying-party.js';
import { acceptedCredentials } from './signals.js';

/** @throws AppError not_found for a malformed id */
export function requirePasskeyId(text: string): string {
  const id = decodeId('pk', text);
  if (!id) throw new AppError('not_found');
  return id;
}

export function passkeyRoutes(passkeys: PasskeyStore, party: RelyingParty): Route[] {
  return [
    route(contract.listPasskeys, async ({ principal: { user } }) => {
      const [owner, rows] = await Promise.all([passkeys.owner(user.id), passkeys.list(user.id)]);
      if (!owner) throw new AppError('unauthorized');
      return { body: { items: rows.map(toPasskeyRecord), signals: [acceptedCredentials(party, owner, rows)] } };
    }),

    route(contract.renamePasskey, ({ principal, caller, params, body, commit }) =>
      commit(async (tx) => {
        const id = requirePasskeyId(params.passkey_id);
        const row = await passkeys.rename(tx, principal.user.id, id, body.name, caller.actor);
        return { body: toPasskeyRecord(row) };
      }),
    ),

    route(contract.removePasskey, ({ principal, caller, params, commit }) =>
      commit(async (tx) => {
        await passkeys.remove(tx, principal.user.id, requirePasskeyId(params.passkey_id), caller.actor);
        return {};
      }),
    ),
  ];
}
