import { endpoint } from '@millwright/http';
import { timestamp } from '@millwright/records';
import { z } from 'zod';

const Price = z.number().min(0).max(1_000_000).multipleOf(0.000001);

export const ModelPrice = z.object({
  id: z.string().nullable().meta({ description: 'Null: a price of the installation, which its operator changes' }),
  model: z.string(),
  input: z.number().meta({ description: 'US dollars for a million tokens' }),
  output: z.number().meta({ description: 'US dollars for a million tokens' }),
  valid_from: z.string().nullable().meta({ description: 'Null: until the first price of the project' }),
  is_current: z.boolean(),
  created_at: z.string().nullable(),
});
export type ModelPrice = z.output<typeof ModelPrice>;

export const NewModelPrice = z.strictObject({
  model: z.string().min(1).max(200),
  input: Price,
  output: Price,
  valid_from: timestamp.optional().meta({ description: 'Default: now. Not in the past' }),
});
export type NewModelPrice = z.output<typeof NewModelPrice>;

const prices = { tag: 'Model prices', limit: 'credential', access: { scope: 'admin' } } as const;

export const listModelPrices = endpoint({
  ...prices,
  operationId: 'listModelPrices',
  method: 'GET',
  path: '/api/v1/model-prices',
  summary: 'List what models cost the project: 1,000 prices at most, by model, the latest first',
  success: {
    status: 200,
    description: 'The prices, and the names of the models of the project and of the installation',
    body: z.object({ items: z.array(ModelPrice), models: z.array(z.string()) }),
  },
  errors: [],
});

export const createModelPrice = endpoint({
  ...prices,
  operationId: 'createModelPrice',
  method: 'POST',
  path: '/api/v1/model-prices',
  summary: 'Set what a model costs from a time on. Costs of past runs stay as they are.',
  body: NewModelPrice,
  success: { status: 201, description: 'The new price', body: ModelPrice },
  errors: ['conflict', 'quota_exceeded'],
});

export const deleteModelPrice = endpoint({
  ...prices,
  operationId: 'deleteModelPrice',
  method: 'DELETE',
  path: '/api/v1/model-prices/{price_id}',
  summary: 'Delete a price: the one before it is valid again. Costs of past runs stay as they are.',
  params: z.object({ price_id: z.string() }),
  success: { status: 204, description: 'Deleted' },
  errors: [],
});
