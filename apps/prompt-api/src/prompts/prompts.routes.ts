import { requireFound, route, type Route } from '@millwright/http';
import type { RequireReadableBlocks } from './require-readable-blocks.js';
import { listHeaders } from '../metadata/list-headers.js';
import * as contract from './prompts.contract.js';
import { withoutUndefined } from '../metadata/metadata.store.js';
import type { VersionStore } from './versions.store.js';
import type { PromptService } from './prompts.service.js';
import { toPrompt, type PromptStore } from './prompts.store.js';

export interface PromptRouteDeps {
  prompts: PromptStore;
  service: PromptService;
  versions: VersionStore;
  requireReadableBlocks: RequireReadableBlocks;
}

export function promptRoutes({ prompts, service, versions, requireReadableBlocks }: PromptRouteDeps): Route[] {
  return [
    route(contract.createPrompt, ({ caller, body, commit }) =>
      commit(
        async (tx) => {
          const prompt = await service.create(tx, caller, body);
          return { body: toPrompt(prompt), version: prompt.version, headers: { Location: `/v1/prompt/${prompt.id}` } };
        },
        async () => {
          await requireReadableBlocks(caller, { action: 'prompt.create', resource: 'prompt' }, body.instruction);
          await service.requireUsableSchemas(caller.project, body);
        },
      ),
    ),

    route(contract.listPrompts, async ({ caller, query }) => {
      const listed = await prompts.list(caller.project, query);
      return { body: listed.items.map(toPrompt), headers: listHeaders('/v1/prompt', query, listed) };
    }),

    route(contract.getPrompt, async ({ caller, params }) => {
      const prompt = requireFound(await prompts.find(caller.project, params.uuid));
      return { body: toPrompt(prompt), version: prompt.version };
    }),

    route(contract.updatePrompt, async ({ caller, params, body, ifMatch, commit }) => {
      if (body.instruction) {
        const { instruction: earlier } = requireFound(await prompts.find(caller.project, params.uuid));
        const instruction = { ...earlier, ...withoutUndefined(body.instruction) };
        await requireReadableBlocks(caller, { action: 'prompt.update', resource: params.uuid }, instruction, earlier);
      }
      await service.requireUsableSchemas(caller.project, body);
      return commit(async (tx) => {
        const prompt = await service.update(tx, caller, params.uuid, ifMatch, body);
        return { body: toPrompt(prompt), version: prompt.version };
      });
    }),

    route(contract.deletePrompt, ({ caller, principal, params, query: { reason }, ifMatch, commit }) =>
      versions.recordingRefusals(
        commit(async (tx) => {
          const mover = { ...caller, mayMoveProtected: principal.scopes.has('admin') };
          await versions.lockForDeletion(tx, mover, params.uuid, reason);
          await service.remove(tx, caller, params.uuid, { ifMatch, reason });
          return {};
        }),
      ),
    ),

    route(contract.getInput, async ({ caller, params }) => ({
      body: requireFound(await prompts.findDefinition(caller.project, 'input', params.uuid)),
      digest: true,
    })),

    route(contract.getOutput, async ({ caller, params }) => ({
      body: requireFound(await prompts.findDefinition(caller.project, 'output', params.uuid)),
      digest: true,
    })),
  ];
}
