import { reply, requireFound, route, type Route } from '@millwright/http';
import { listHeaders } from '../metadata/list-headers.js';
import * as contract from './artifacts.contract.js';
import type { ArtifactStore } from './artifacts.store.js';

export function artifactRoutes(artifacts: ArtifactStore): Route[] {
  return [
    route(contract.createArtifact, ({ caller, body, commit }) =>
      commit(async (tx) => {
        const artifact = await artifacts.create(tx, caller, body);
        return reply(artifact, { Location: artifact.record._link });
      }),
    ),

    route(contract.listArtifacts, async ({ caller, query }) => {
      const listed = await artifacts.list(caller.project, query);
      return { body: listed.items, headers: listHeaders('/v1/artifact', query, listed) };
    }),

    route(contract.getArtifact, async ({ caller, params }) =>
      reply(requireFound(await artifacts.find(caller.project, params.uuid))),
    ),

    route(contract.updateArtifact, ({ caller, params, body, ifMatch, commit }) =>
      commit(async (tx) => reply(await artifacts.update(tx, caller, { id: params.uuid, ifMatch }, body))),
    ),

    route(contract.deleteArtifact, ({ caller, params, ifMatch, commit }) =>
      commit(async (tx) => {
        await artifacts.remove(tx, caller, { id: params.uuid, ifMatch });
        return {};
      }),
    ),
  ];
}
