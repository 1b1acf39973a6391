import { endpoint } from '@millwright/http';
import { z } from 'zod';

/** OpenAI's model object, with a name for people. */
export const Model = z.object({
  id: z.string().meta({ description: 'The name to send as `model`' }),
  object: z.literal('model'),
  created: z.int().meta({ description: 'Unix time in seconds; 0 for a configured model' }),
  owned_by: z.enum(['model', 'agent', 'prompt']).meta({ description: 'What the name stands for' }),
  name: z.string().meta({ description: 'Name for people' }),
});
export type Model = z.output<typeof Model>;

const models = { method: 'GET', tag: 'Models', access: { scope: 'prompts:run' }, limit: 'credential' } as const;

export const listModels = endpoint({
  ...models,
  operationId: 'listModels',
  path: '/v1/models',
  summary: 'List models, agents and prompts in the form of OpenAI',
  success: {
    status: 200,
    description:
      'The configured models, the default one first; with `agents:read` or `agents:message` the newest 500 active agents as `agent/<slug>`; with `prompts:read` the newest 500 prompts as `prompt/<id>`',
    body: z.object({ object: z.literal('list'), data: z.array(Model) }),
  },
  errors: [],
});

export const getModel = endpoint({
  ...models,
  operationId: 'getModel',
  path: '/v1/models/{model}',
  summary: 'Read a model, an agent or a prompt in the form of OpenAI',
  params: z.object({ model: z.string().max(200) }),
  success: { status: 200, description: 'What the name stands for', body: Model },
  errors: [],
});
