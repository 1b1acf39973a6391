import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import { listHeaders } from '../metadata/list-headers.js';
import * as contract from './artifacts.contract.js';
import type { ArtifactStore } from './artifacts.store.js';

export function artifactRoutes(artifacts: ArtifactStore): Route[] {
  return [
    route(contract.createArtifact, ({ caller, body, commit }) =>
      commit(async (tx) => {
        const artifact = await artifacts.create(tx, caller, body);
        return { body: artifact, version: artifact.metadata.version, headers: { Location: artifact._link } };
      }),
    ),

    route(contract.listArtifacts, async ({ caller, query }) => {
      const { artifacts: page, total } = await artifacts.list(caller.project, query);
      return { body: page, headers: listHeaders('/v1/artifact', query, total) };
    }),

    route(contract.getArtifact, async ({ caller, params }) => {
      const artifact = await artifacts.find(caller.project, params.uuid);
      if (!artifact) throw new AppError('not_found');
      return { body: artifact, version: artifact.metadata.version };
    }),

    route(contract.updateArtifact, ({ caller, params, body, ifMatch, commit }) =>
      commit(async (tx) => {
        const artifact = await artifacts.update(tx, caller, { id: params.uuid, ifMatch }, body);
        return { body: artifact, version: artifact.metadata.version };
      }),
    ),

    route(contract.deleteArtifact, ({ caller, params, ifMatch, commit }) =>
      commit(async (tx) => {
        await artifacts.remove(tx, caller, { id: params.uuid, ifMatch });
        return {};
      }),
    ),
  ];
}
