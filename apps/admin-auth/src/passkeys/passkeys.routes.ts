import { decodeId, encodeId } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import { requireUser, type RequireFresh } from '../protection/signed-in.js';
import * as contract from './passkeys.contract.js';
import type { PasskeyRow, PasskeyStore } from './passkeys.store.js';
import type { RelyingParty } from './relying-party.js';
import { acceptedCredentials } from './signals.js';

const toItem = (row: PasskeyRow) => ({
  id: encodeId('pk', row.id),
  name: row.name,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
  device_type: row.device_type,
  backed_up: row.backed_up,
});

/** @throws AppError not_found */
function requireId(text: string): string {
  const id = decodeId('pk', text);
  if (!id) throw new AppError('not_found');
  return id;
}

export function passkeyRoutes(passkeys: PasskeyStore, party: RelyingParty, requireFresh: RequireFresh): Route[] {
  return [
    route(contract.listPasskeys, async (call) => {
      const { user } = requireUser(call);
      const [owner, rows] = await Promise.all([passkeys.owner(user.id), passkeys.list(user.id)]);
      if (!owner) throw new AppError('unauthorized');
      return { body: { items: rows.map(toItem), signals: [acceptedCredentials(party, owner, rows)] } };
    }),

    route(contract.renamePasskey, (call) =>
      call.commit(async (tx) => {
        const { user, actor } = requireUser(call);
        const row = await passkeys.rename(tx, user.id, requireId(call.params.passkey_id), call.body.name, actor);
        return { body: toItem(row) };
      }),
    ),

    route(contract.removePasskey, async (call) => {
      const { user, actor } = await requireFresh(call, 'passkey.remove');
      return call.commit(async (tx) => {
        await passkeys.remove(tx, user.id, requireId(call.params.passkey_id), actor);
        return {};
      });
    }),
  ];
}
