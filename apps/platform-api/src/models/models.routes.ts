import { recordDecision } from '@millwright/audit';
import type { Principal } from '@millwright/auth';
import { reply, route, type Route } from '@millwright/http';
import { MODEL_PRESETS, type ModelPresetName } from '@millwright/models';
import * as contract from './models.contract.js';
import type { ModelService } from './models.service.js';

const isAdmin = ({ scopes }: Pick<Principal, 'scopes'>) => scopes.has('admin');

const presets = Object.entries(MODEL_PRESETS).map(([id, { name, baseUrl, needsKey, modelsUrl }]) => ({
  id: id as ModelPresetName,
  name,
  base_url: baseUrl,
  needs_key: needsKey,
  models_url: modelsUrl,
}));

export function modelRoutes(models: ModelService): Route[] {
  return [
    route(contract.listModels, async ({ principal, caller }) => ({
      body: { items: await models.list(caller.project, isAdmin(principal)) },
    })),

    route(contract.listModelPresets, () => Promise.resolve({ body: { items: presets } })),

    route(contract.createModel, async ({ caller, body, commit }) => {
      return commit(
        async (tx) => {
          const created = await models.create(tx, caller, body);
          return { ...reply(created, { Location: `/api/v1/models/${created.record.id}` }), digest: true };
        },
        () => models.requireReachable(body.preset, body.base_url),
      );
    }),

    route(contract.testDraftModel, async ({ caller, body, signal, commit }) => {
      const result = await models.testDraft(body, signal);
      return commit(async (tx) => {
        const detail = { name: body.name, base_url: body.base_url ?? null, ok: result.ok };
        await recordDecision(tx, { ...caller, action: 'model.test', resource: 'model', detail });
        return { body: result };
      });
    }),

    route(contract.getModel, async ({ principal, caller, params }) => {
      // The ETag is a digest, because health and prices change without a new version of the model.
      return { ...reply(await models.find(caller.project, params.model_id, isAdmin(principal))), digest: true };
    }),

    route(contract.updateModel, async ({ caller, params, body, ifMatch, commit }) => {
      models.requireChangeable(params.model_id);
      if (body.base_url !== undefined) {
        const { record } = await models.find(caller.project, params.model_id, true);
        if (body.base_url !== record.base_url)
          await models.requireReachable(body.preset ?? record.preset ?? 'compatible', body.base_url);
      }
      return commit(async (tx) => ({
        ...reply(await models.change(tx, caller, { id: params.model_id, ifMatch }, body)),
        digest: true,
      }));
    }),

    route(contract.deleteModel, ({ caller, params, ifMatch, commit }) => {
      models.requireChangeable(params.model_id);
      return commit(async (tx) => {
        await models.remove(tx, caller, { id: params.model_id, ifMatch });
        return {};
      });
    }),

    route(contract.testModel, async ({ caller, params, body, signal, commit }) => {
      const result = await models.test(caller.project, params.model_id, body, signal);
      return commit(async (tx) => {
        const detail = { ok: result.ok };
        await recordDecision(tx, { ...caller, action: 'model.test', resource: params.model_id, detail });
        return { body: result };
      });
    }),
  ];
}
