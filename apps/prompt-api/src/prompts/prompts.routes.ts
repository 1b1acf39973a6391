import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import { listHeaders } from '../metadata/list-headers.js';
import * as contract from './prompts.contract.js';
import type { VersionStore } from '../versions/versions.store.js';
import type { PromptService } from './prompts.service.js';
import { toPrompt, type PromptStore } from './prompts.store.js';

export function promptRoutes(prompts: PromptStore, service: PromptService, versions: VersionStore): Route[] {
  const found = <Shown>(record: Shown | undefined): Shown => {
    if (!record) throw new AppError('not_found');
    return record;
  };

  return [
    route(contract.createPrompt, async ({ caller, body, commit }) => {
      await service.requireUsableSchemas(body);
      return commit(async (tx) => {
        const prompt = await service.create(tx, caller, body);
        return { body: toPrompt(prompt), version: prompt.version, headers: { Location: `/v1/prompt/${prompt.id}` } };
      });
    }),

    route(contract.listPrompts, async ({ caller, query }) => {
      const { prompts: page, total } = await prompts.list(caller.project, query);
      return { body: page.map(toPrompt), headers: listHeaders('/v1/prompt', query, total) };
    }),

    route(contract.getPrompt, async ({ caller, params }) => {
      const prompt = found(await prompts.find(caller.project, params.uuid));
      return { body: toPrompt(prompt), version: prompt.version };
    }),

    route(contract.updatePrompt, async ({ caller, params, body, ifMatch, commit }) => {
      await service.requireUsableSchemas(body);
      return commit(async (tx) => {
        const prompt = await service.update(tx, caller, params.uuid, ifMatch, body);
        return { body: toPrompt(prompt), version: prompt.version };
      });
    }),

    route(contract.deletePrompt, ({ caller, principal, params, query: { reason }, ifMatch, commit }) =>
      commit(async (tx) => {
        const mover = { ...caller, mayMoveProtected: principal.scopes.has('admin') };
        await versions.holdForDeletion(tx, mover, params.uuid, reason);
        await service.remove(tx, caller, params.uuid, { ifMatch, reason });
        return {};
      }),
    ),

    route(contract.getInput, async ({ caller, params }) => ({
      body: found(await prompts.findDefinition(caller.project, 'input', params.uuid)),
      digest: true,
    })),

    route(contract.getOutput, async ({ caller, params }) => ({
      body: found(await prompts.findDefinition(caller.project, 'output', params.uuid)),
      digest: true,
    })),
  ];
}
