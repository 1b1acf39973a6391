import { issueKeyByKey, listLiveKeys, revokeKeyByKey } from '@millwright/accounts/keys-by-key';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { route, type Route, type StoredReply } from '@millwright/http';
import { secretPlaces, type SecretBox } from '@millwright/secrets';
import { z } from 'zod';
import * as contract from './keys.contract.js';
import { KEPT, managingKey } from './managing-key.js';

const Source = z.object({ id: z.string(), key: z.string() });

/** API keys that a key makes and revokes for its owner. */
export function keyRoutes(db: Database, secretBox: SecretBox): Route[] {
  return [
    route(contract.listKeys, async ({ principal: { user, project } }) => ({
      body: { items: await listLiveKeys(db, user.id, project) },
    })),

    route(
      contract.createKey,
      ({ principal, caller: { actor }, body, commit }) => {
        const { expires_in_days: lifeDays, ...wanted } = body;
        return commit(async (tx) => {
          const issued = await issueKeyByKey(tx, managingKey(principal), { ...wanted, lifeDays }, actor);
          // The copy of the answer that is stored for repeated requests contains the key only encrypted.
          const key = secretBox.seal(issued.key, secretPlaces.apiKeyAnswer(issued.id));
          return { body: issued, stored: { body: { ...issued, key: KEPT }, source: { id: issued.id, key } } };
        });
      },
      undefined,
      ({ body, source }: StoredReply) => {
        const { id, key } = Source.parse(source);
        const opened = secretBox.open(key, secretPlaces.apiKeyAnswer(id));
        return Promise.resolve({ ...z.looseObject({}).parse(body), key: opened });
      },
    ),

    route(contract.revokeKey, ({ principal, caller: { actor }, params, query, commit }) => {
      const key = managingKey(principal);
      if (params.key_id === key.id && query.self === 'false') {
        const reason = 'is the key of this request; add ?self=true to revoke it';
        throw new AppError('conflict', { fields: [{ field: 'key_id', reason }] });
      }
      return commit(async (tx) => {
        await revokeKeyByKey(tx, key, params.key_id, actor);
        return {};
      });
    }),
  ];
}
