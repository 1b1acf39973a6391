import { invalidField } from '@millwright/errors';
import { requireFound, route, type Route } from '@millwright/http';
import { listHeaders } from '../metadata/list-headers.js';
import type { PromptService } from './prompts.service.js';
import { toPrompt, type StoredPrompt } from './prompts.store.js';
import { compareVersions } from './compare-versions.js';
import * as contract from './versions.contract.js';
import type { VersionStore } from './versions.store.js';

function toVersion(stored: StoredPrompt) {
  return { ...toPrompt(stored), _link: `/v1/prompt/${stored.id}/version/${stored.version}` };
}

export function versionRoutes(versions: VersionStore, service: PromptService): Route[] {
  return [
    route(contract.listVersions, async ({ caller, params, query }) => {
      const listed = requireFound(await versions.list(caller.project, params.uuid, query));
      return {
        body: listed.items.map(toVersion),
        headers: listHeaders(`/v1/prompt/${params.uuid}/version`, query, listed),
      };
    }),

    route(contract.getVersion, async ({ caller, params }) => {
      const version = requireFound(await versions.find(caller.project, params.uuid, params.n));
      return { body: toVersion(version), version: version.version };
    }),

    route(contract.diffVersions, async ({ caller, params, query }) => {
      const from = query.from ?? params.n - 1;
      const later = requireFound(await versions.find(caller.project, params.uuid, params.n));
      if (from === 0) throw invalidField('from', 'is required, because nothing came before version 1');
      const earlier = requireFound(await versions.find(caller.project, params.uuid, from));
      return { body: { prompt: earlier.id, from, to: params.n, changes: compareVersions(earlier, later) } };
    }),

    route(contract.restoreVersion, async ({ caller, params, ifMatch, commit }) => {
      const earlier = requireFound(await versions.find(caller.project, params.uuid, params.n));
      return commit(async (tx) => {
        const prompt = await service.restore(tx, caller, earlier, ifMatch);
        return {
          body: toPrompt(prompt),
          version: prompt.version,
          headers: { Location: `/v1/prompt/${prompt.id}/version/${prompt.version}` },
        };
      });
    }),

    route(contract.listLabels, async ({ caller, params }) => ({
      body: requireFound(await versions.listLabels(caller.project, params.uuid)),
    })),

    route(contract.moveLabel, ({ caller, principal, params, body, commit }) =>
      versions.recordingRefusals(
        commit(async (tx) => {
          const mover = { ...caller, mayMoveProtected: principal.scopes.has('admin') };
          return { body: await versions.moveLabel(tx, mover, { promptId: params.uuid, name: params.name }, body) };
        }),
      ),
    ),

    route(contract.deleteLabel, ({ caller, principal, params, query, commit }) =>
      versions.recordingRefusals(
        commit(async (tx) => {
          const mover = { ...caller, mayMoveProtected: principal.scopes.has('admin') };
          await versions.removeLabel(tx, mover, { promptId: params.uuid, name: params.name }, query.reason);
          return {};
        }),
      ),
    ),
  ];
}
