import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { VersionParams } from '../prompts/versions.contract.js';

const used = {
  runs: z.int(),
  usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() }),
  /** Cost in US dollars; null when the price of one of the models is unknown. */
  cost_usd: z.number().nullable(),
  unpriced_runs: z.int().meta({ description: 'Runs whose price is not known' }),
  estimated_runs: z.int().meta({
    description: 'Runs with tokens that are estimated: the model sent no count, or an answer was cut off',
  }),
};

export const VersionUsage = z.object({
  prompt: z.string(),
  version: z.int(),
  ...used,
  last_run: z.string().nullable(),
  /** Usage of each model that gave answers. */
  models: z.array(z.object({ model: z.string(), ...used })),
});
export type VersionUsage = z.output<typeof VersionUsage>;

export const getVersionUsage = endpoint({
  operationId: 'getPromptVersionUsage',
  method: 'GET',
  path: '/v1/prompt/{uuid}/version/{n}/usage',
  summary: 'Read the usage and cost of a version',
  tag: 'Versions',
  access: { scope: 'prompts:read' },
  limit: 'credential',
  params: VersionParams,
  success: { status: 200, description: 'Runs, tokens and cost, in total and by model', body: VersionUsage },
  errors: [],
});
