import { endpoint } from '@millwright/http';
import { MODEL_PRESETS, ModelParameters, type ModelPresetName } from '@millwright/models';
import { z } from 'zod';

const Status = z.enum(['active', 'inactive']);
const Preset = z.enum(Object.keys(MODEL_PRESETS) as [ModelPresetName, ...ModelPresetName[]]);

/** Mask of the API key in answers. In a request, the mask keeps the stored key. */
export const KEPT = '********';

const INPUT_PRICE = { description: 'US dollars for a million input tokens' };
const OUTPUT_PRICE = { description: 'US dollars for a million output tokens' };
const Prices = z.object({ input: z.number().meta(INPUT_PRICE), output: z.number().meta(OUTPUT_PRICE) });

const Failure = z.object({
  at: z.string(),
  kind: z.enum(['timeout', 'rate_limited', 'failed', 'unreachable', 'rejected', 'garbage']),
  status: z.int().nullable().meta({ description: 'HTTP status of the answer; null: there was none' }),
  message: z.string().nullable().meta({
    description: 'Error text of the model server, without credentials; null without the scope `admin`',
  }),
});

const Health = z.object({
  state: z.enum(['unknown', 'healthy', 'failing', 'paused']).meta({
    description: '`unknown`: not called yet. `paused`: not called for some seconds after failures in a row',
  }),
  last_success_at: z.string().nullable().meta({ description: 'Time of the last answer, to within a minute' }),
  last_failure: Failure.nullable().meta({ description: 'The latest failure, also when a later call succeeded' }),
});
export type Health = z.output<typeof Health>;

export const Model = z.object({
  id: z.string().meta({ description: '`environment:` and the name for a model of the environment' }),
  name: z.string().meta({ description: 'The name that agents and requests use' }),
  source: z.enum(['project', 'environment']).meta({
    description: '`environment`: of `MODEL_*` or `MODELS_FILE`, which an operator changes',
  }),
  preset: Preset.nullable().meta({ description: 'Null for a model of the environment' }),
  base_url: z.string().nullable().meta({
    description: 'Base URL; null without the scope `admin`, and for the built-in offline model',
  }),
  upstream_model: z.string().meta({ description: 'Name of the model at the base URL' }),
  api_key: z.literal(KEPT).nullable().meta({ description: 'Whether there is one; it is never shown' }),
  parameters: ModelParameters.meta({ description: 'Default parameters; those of agents and prompts come first' }),
  context_window: z.int().meta({ description: 'Tokens' }),
  max_output: z.int().nullable().meta({ description: 'Longest answer in tokens; null: unknown' }),
  images: z.boolean().meta({ description: 'Whether the model reads images' }),
  image_urls: z.boolean().meta({ description: 'Whether its server fetches images from addresses that clients name' }),
  prices: Prices.nullable().meta({ description: 'US dollars for a million tokens at this moment; null: unknown' }),
  fallbacks: z.array(z.string()).meta({ description: 'Models that are called in turn when this one does not answer' }),
  is_default: z.boolean().meta({ description: 'Used where an agent or a request names no model' }),
  status: Status,
  health: Health.meta({ description: 'How the model last answered this project' }),
  created_at: z.string().nullable(),
  updated_at: z.string().nullable(),
});
export type Model = z.output<typeof Model>;

const Name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[\w.:/@ -]+$/, 'must have letters, digits, spaces and . : / @ _ - only');
const Tokens = z.int().min(1).max(100_000_000);
const Price = z.number().min(0).max(1_000_000).multipleOf(0.000001);

const fields = {
  preset: Preset.meta({ description: 'The provider that the address is of' }),
  base_url: z
    .string()
    .min(1)
    .max(2_000)
    .meta({ description: 'Base address of an OpenAI-compatible API, `/v1` included' }),
  upstream_model: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^[\x20-\x7e]+$/, 'must have printable ASCII characters only')
    .meta({ description: 'Name of the model at the base URL' }),
  api_key: z
    .string()
    .min(1)
    .max(4_096)
    .regex(/^[\x21-\x7e]+$/, 'must have printable ASCII characters without spaces')
    .nullable()
    .meta({
      description: 'Stored encrypted and never shown; null: the address needs none; `********` keeps the stored one',
    }),
  parameters: ModelParameters.meta({ description: 'Default parameters; those of agents and prompts come first' }),
  context_window: Tokens.meta({ description: 'Tokens that the model reads and writes at once' }),
  max_output: Tokens.nullable().meta({ description: 'Longest answer in tokens; null: unknown' }),
  images: z.boolean().meta({ description: 'Whether it reads images: requests with images are refused elsewhere' }),
  image_urls: z.boolean().meta({
    description:
      'Whether its server fetches images from https addresses that clients name; only for servers outside your network',
  }),
  prices: z.strictObject({ input: Price.meta(INPUT_PRICE), output: Price.meta(OUTPUT_PRICE) }).meta({
    description: 'US dollars for a million tokens; a new price from now on, as by `POST /api/v1/model-prices`',
  }),
  fallbacks: z
    .array(z.string().min(1).max(200))
    .max(10)
    .refine((names) => new Set(names).size === names.length, 'must not name a model twice')
    .meta({ description: 'Models that are called in turn when this one does not answer' }),
  is_default: z.boolean().meta({ description: 'Used where an agent or a request names no model' }),
  status: Status.meta({ description: '`inactive`: no call reaches it' }),
};

export const NewModel = z.strictObject({
  name: Name,
  preset: fields.preset,
  base_url: fields.base_url.optional().meta({ description: "Default: the preset's, where it has one" }),
  upstream_model: fields.upstream_model
    .optional()
    .meta({ description: 'Name of the model at the base URL. Default: `name`' }),
  api_key: fields.api_key.default(null),
  parameters: fields.parameters.default({}),
  context_window: fields.context_window.default(128_000),
  max_output: fields.max_output.default(null),
  images: fields.images.default(false),
  image_urls: fields.image_urls.default(false),
  prices: fields.prices.optional(),
  fallbacks: fields.fallbacks.default([]),
  is_default: fields.is_default.default(false),
  status: fields.status.default('active'),
});
export type NewModel = z.output<typeof NewModel>;

/** Fields that are accepted and ignored, so that a client may send back the body of a GET. */
const Ignored = z
  .unknown()
  .optional()
  .transform(() => undefined);

export const ModelChanges = z
  .strictObject({
    ...fields,
    prices: fields.prices.nullable().meta({ description: 'US dollars for a million tokens; a new price from now on' }),
  })
  .partial()
  .extend({
    name: Name.optional().meta({ description: 'Never changes: agents and runs refer to it' }),
    source: Ignored.meta({ description: 'Ignored in requests' }),
    health: Ignored.meta({ description: 'Ignored in requests' }),
  });
export type ModelChanges = z.output<typeof ModelChanges>;

const TestFailure = Failure.omit({ at: true, message: true }).extend({
  message: z.string().meta({ description: 'Error text of the model server, without credentials' }),
  advice: z.string().meta({ description: 'What to do' }),
});

export const ModelTestResult = z.object({
  ok: z.boolean(),
  latency_ms: z.int().meta({ description: 'Milliseconds until the whole answer' }),
  answer: z.string().nullable().meta({ description: 'What the model wrote, 200 characters at most' }),
  upstream_model: z.string().nullable().meta({ description: 'The name by which the server answered' }),
  failure: TestFailure.nullable().meta({ description: 'Error of the call; null: the model answered' }),
});
export type ModelTestResult = z.output<typeof ModelTestResult>;

const ListedPreset = z.object({
  id: Preset,
  name: z.string(),
  base_url: z.string().nullable().meta({ description: 'A part in capitals is to be replaced; null: of your own' }),
  needs_key: z.boolean().meta({ description: 'Whether the provider requires an API key' }),
  models_url: z.string().nullable().meta({ description: "The provider's list of its models" }),
});

const params = z.object({ model_id: z.string() });
const one = { status: 200, description: 'The model', body: Model } as const;
const models = { tag: 'Models', limit: 'credential', access: { scope: 'admin' } } as const;
const read = { ...models, access: { scope: 'agents:read' } } as const;

export const listModels = endpoint({
  ...read,
  operationId: 'listModels',
  method: 'GET',
  path: '/api/v1/models',
  summary: 'List the models that the project has, 100 at most, then those of the environment, each with its health',
  success: { status: 200, description: 'The models', body: z.object({ items: z.array(Model) }) },
  errors: [],
});

export const listModelPresets = endpoint({
  ...read,
  operationId: 'listModelPresets',
  method: 'GET',
  path: '/api/v1/models/presets',
  summary: 'List the providers whose base addresses are known',
  success: { status: 200, description: 'The presets', body: z.object({ items: z.array(ListedPreset) }) },
  errors: [],
});

export const createModel = endpoint({
  ...models,
  operationId: 'createModel',
  method: 'POST',
  path: '/api/v1/models',
  summary: 'Add a model. All services use it at once.',
  body: NewModel,
  success: { status: 201, description: 'The new model', body: Model },
  errors: ['conflict', 'quota_exceeded'],
  long: true,
});

export const testDraftModel = endpoint({
  ...models,
  operationId: 'testDraftModel',
  method: 'POST',
  path: '/api/v1/models/test',
  summary: 'Call a model once that is not added yet. Nothing is stored.',
  body: NewModel,
  success: { status: 200, description: "What the model's server answered", body: ModelTestResult },
  errors: [],
  long: true,
});

export const getModel = endpoint({
  ...read,
  operationId: 'getModel',
  method: 'GET',
  path: '/api/v1/models/{model_id}',
  summary: 'Retrieve a model with its health',
  params,
  success: one,
  errors: [],
});

export const updateModel = endpoint({
  ...models,
  operationId: 'updateModel',
  method: 'PATCH',
  path: '/api/v1/models/{model_id}',
  summary: 'Change a model. All services use the change at once.',
  params,
  body: ModelChanges,
  success: one,
  errors: ['conflict', 'precondition_failed', 'quota_exceeded'],
  long: true,
});

export const deleteModel = endpoint({
  ...models,
  operationId: 'deleteModel',
  method: 'DELETE',
  path: '/api/v1/models/{model_id}',
  summary: 'Delete a model that no agent and no other model names',
  params,
  success: { status: 204, description: 'Deleted' },
  errors: ['conflict', 'precondition_failed'],
});

export const testModel = endpoint({
  ...models,
  operationId: 'testModel',
  method: 'POST',
  path: '/api/v1/models/{model_id}/test',
  summary: 'Call a model once, with these changes when there are any. Nothing is stored but its health.',
  params,
  body: ModelChanges,
  bodyOptional: true,
  success: { status: 200, description: "What the model's server answered", body: ModelTestResult },
  errors: [],
  long: true,
});
