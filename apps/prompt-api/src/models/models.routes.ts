import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import type { ProjectModels } from '@millwright/models';
import { agentModel, parseModelName, promptModel } from './model-name.js';
import { getModel, listModels, type Model } from './models.contract.js';
import type { NamedModelStore, NamedRecord } from './named-models.store.js';

const configured = (name: string): Model => ({ id: name, object: 'model', created: 0, owned_by: 'model', name });

const named = (owned_by: 'agent' | 'prompt', { key, name, created_at }: NamedRecord): Model => ({
  id: owned_by === 'agent' ? agentModel(key) : promptModel(key),
  object: 'model',
  created: Math.floor(created_at.getTime() / 1_000),
  owned_by,
  name,
});

export function modelRoutes(models: ProjectModels, records: NamedModelStore): Route[] {
  const seesAgents = (scopes: ReadonlySet<string>) => scopes.has('agents:read') || scopes.has('agents:message');

  return [
    route(listModels, async ({ caller: { project }, principal: { scopes } }) => {
      const agents = seesAgents(scopes) ? await records.listAgents(project) : [];
      const prompts = scopes.has('prompts:read') ? await records.listPrompts(project) : [];
      const present = await models.of(project);
      const data = [
        ...present.names().map(configured),
        ...agents.map((agent) => named('agent', agent)),
        ...prompts.map((prompt) => named('prompt', prompt)),
      ];
      return { body: { object: 'list', data } };
    }),

    route(getModel, async ({ caller: { project }, principal: { scopes }, params }) => {
      const wanted = parseModelName(params.model);
      if (wanted.kind === 'prompt') {
        if (!scopes.has('prompts:read')) throw new AppError('not_found');
        return { body: named('prompt', await records.requirePrompt(project, wanted.idOrSlug)) };
      }
      if (wanted.kind === 'model') {
        if (!(await models.of(project)).names().includes(params.model)) throw new AppError('not_found');
        return { body: configured(params.model) };
      }
      const agent = seesAgents(scopes) ? await records.findAgent(project, wanted.slug) : undefined;
      if (!agent) throw new AppError('not_found');
      return { body: named('agent', agent) };
    }),
  ];
}
