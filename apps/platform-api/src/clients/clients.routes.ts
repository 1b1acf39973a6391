import {
  findOwnClient,
  issueClientByKey,
  listOwnClients,
  revokeClientByKey,
  rotateClientByKey,
  updateClientByKey,
} from '@millwright/accounts/clients-by-key';
import type { Database } from '@millwright/db';
import { route, type Route, type StoredReply } from '@millwright/http';
import { secretPlaces, type SecretBox } from '@millwright/secrets';
import { z } from 'zod';
import { KEPT, managingKey } from '../keys/managing-key.js';
import * as contract from './clients.contract.js';

const Stored = z.looseObject({ client_id: z.string() });
const Source = z.object({ secret: z.string() });

/** OAuth clients that a key makes, changes and revokes for its owner. */
export function clientRoutes(db: Database, secretBox: SecretBox): Route[] {
  /** Makes the answer with the secret. The copy of the answer that is stored for repeated requests contains the secret only encrypted. */
  const withSecret = <Issued extends { client_id: string; client_secret: string }>(body: Issued) => {
    const secret = secretBox.seal(body.client_secret, secretPlaces.clientAnswer(body.client_id));
    return { body, stored: { body: { ...body, client_secret: KEPT }, source: { secret } } };
  };
  const restore = ({ body, source }: StoredReply) => {
    const stored = Stored.parse(body);
    const secret = secretBox.open(Source.parse(source).secret, secretPlaces.clientAnswer(stored.client_id));
    return Promise.resolve({ ...stored, client_secret: secret });
  };
  return [
    route(contract.listClients, async ({ principal: { user, project } }) => ({
      body: { items: await listOwnClients(db, user.id, project) },
    })),

    route(
      contract.createClient,
      ({ principal, caller: { actor }, body, commit }) => {
        const { redirect_uris: redirectUris, mcp_tools: mcpTools, expires_in_days: lifeDays, ...wanted } = body;
        const client = { ...wanted, redirectUris, mcpTools, lifeDays };
        return commit(async (tx) => withSecret(await issueClientByKey(tx, managingKey(principal), client, actor)));
      },
      undefined,
      restore,
    ),

    route(contract.getClient, async ({ principal: { user, project }, params }) => ({
      body: await findOwnClient(db, user.id, project, params.client_id),
    })),

    route(contract.updateClient, ({ principal, caller: { actor }, params, body, commit }) => {
      const { name, redirect_uris: redirectUris, mcp_tools: mcpTools } = body;
      const changes = { name, redirectUris, mcpTools };
      return commit(async (tx) => ({
        body: await updateClientByKey(tx, managingKey(principal), params.client_id, changes, actor),
      }));
    }),

    route(
      contract.rotateClient,
      ({ principal, caller: { actor }, params, body, commit }) => {
        const rotation = { overlapHours: body.overlap_hours, lifeDays: body.expires_in_days };
        return commit(async (tx) =>
          withSecret(await rotateClientByKey(tx, managingKey(principal), params.client_id, rotation, actor)),
        );
      },
      undefined,
      restore,
    ),

    route(contract.revokeClient, ({ principal, caller: { actor }, params, commit }) =>
      commit(async (tx) => {
        await revokeClientByKey(tx, managingKey(principal), params.client_id, actor);
        return {};
      }),
    ),
  ];
}
