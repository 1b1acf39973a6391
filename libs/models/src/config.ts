import { readFileSync } from 'node:fs';
import { ConfigError, field, type ConfigFault } from '@millwright/config';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import type { ModelDefinition } from './model.js';

const endpoint = field
  .url()
  .refine((text) => !new URL(text).username && !new URL(text).password, 'must not carry a user or password')
  .transform((text) => text.replace(/\/+$/, ''));

/** Settings to spread into the config schema of an app that calls models. */
export const modelsConfig = {
  MODEL_BASE_URL: endpoint.optional(),
  MODEL_API_KEY: z.string().optional(),
  MODEL_NAME: z.string().optional(),
  MODEL_IMAGES: field.flag().optional(),
  MODELS_FILE: z.string().optional(),
  MODEL_TIMEOUT_MS: field.integer(1, 3_600_000).default(60_000),
};

export type ModelsConfig = Readonly<z.output<z.ZodObject<typeof modelsConfig>>>;

type Environment = Readonly<Record<string, string | undefined>>;

const defaultContextWindow = 128_000;
const price = z.number('must be a number of USD for a million tokens').nonnegative('must not be below 0');
const tokens = z.int('must be a whole number of tokens').positive('must be above 0');

const FileModel = z.strictObject(
  {
    name: z.string('must be a name').min(1, 'must be a name').max(200, 'must have at most 200 characters'),
    endpoint: z.string('must be a URL').pipe(endpoint),
    model: z.string('must be a name').min(1, 'must be a name').optional(),
    // The value is not repeated in the fault, because it may be the key itself, pasted by mistake.
    api_key_env: z
      .string('must be the name of an environment variable')
      .regex(/^[A-Z_][A-Z0-9_]*$/, 'must be the name of an environment variable')
      .optional(),
    context_window: tokens.default(defaultContextWindow),
    max_output: tokens.optional(),
    images: z.boolean('must be true or false').default(false),
    image_urls: z.boolean('must be true or false').default(false),
    prices: z.strictObject({ input: price, output: price }, 'must give input and output').optional(),
    fallbacks: z.array(z.string('must be a name'), 'must be a list of names').default([]),
    timeout_ms: z.int('must be a whole number').positive('must be above 0').optional(),
  },
  'must be a model',
);

const File = z.strictObject({ models: z.array(FileModel, 'must be a list of models') }, 'must have a list of models');

type FileModel = z.output<typeof FileModel>;

const fileFault = (reason: string): ConfigFault => ({ variable: 'MODELS_FILE', reason });

const pathText = (path: readonly PropertyKey[]) =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');

function readText(path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path);
  } catch {
    throw new ConfigError([fileFault('names a file that cannot be read')]);
  }
}

/** Reports faults without the messages of the YAML parser, which quote the file and could contain a key. */
function parseFile(text: string): FileModel[] {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw new ConfigError([fileFault(`is not valid YAML (line ${error.linePos?.[0].line ?? 1})`)]);
  const result = File.safeParse(document.toJS());
  if (result.success) return result.data.models;
  throw new ConfigError(
    result.error.issues.map((issue) => {
      const where = pathText(issue.path);
      const reason = issue.code === 'unrecognized_keys' ? `has unknown keys: ${issue.keys.join(', ')}` : issue.message;
      return fileFault(where ? `${where} ${reason}` : reason);
    }),
  );
}

function fileFaults(models: readonly FileModel[], names: readonly string[], env: Environment): ConfigFault[] {
  return models.flatMap(({ name, api_key_env: key, fallbacks }, index) => [
    ...(names.indexOf(name) === names.lastIndexOf(name) ? [] : [fileFault(`models[${index}].name is used twice`)]),
    ...(key && !env[key]
      ? [fileFault(`models[${index}].api_key_env: the environment variable ${key} is not set`)]
      : []),
    ...fallbacks
      .filter((fallback) => fallback === name || !names.includes(fallback))
      .map(() => fileFault(`models[${index}].fallbacks must name other models`)),
  ]);
}

function shortForm(config: ModelsConfig): ModelDefinition[] {
  const { MODEL_BASE_URL: url, MODEL_NAME: name, MODEL_API_KEY: apiKey } = config;
  const { MODEL_IMAGES: images, MODEL_TIMEOUT_MS: timeoutMs } = config;
  if (!url && !name && !apiKey) return [];
  if (url && name)
    return [{ name, endpoint: url, apiKey, contextWindow: defaultContextWindow, images, fallbacks: [], timeoutMs }];
  const missing = { MODEL_BASE_URL: url, MODEL_NAME: name };
  throw new ConfigError(
    Object.entries(missing)
      .filter(([, value]) => !value)
      .map(([variable]) => ({ variable, reason: 'is required when another MODEL_ variable is set' })),
  );
}

const offlineModel = (timeoutMs: number): ModelDefinition => ({
  name: 'offline',
  endpoint: null,
  contextWindow: defaultContextWindow,
  fallbacks: [],
  timeoutMs,
});

/**
 * Loads the installation's models, the default model first: the model of MODEL_*, then the models of MODELS_FILE in the file's order. When
 * neither is set, the built-in offline model is loaded.
 *
 * @throws ConfigError that lists all faults; it never contains the value of a key.
 */
export function loadModels(
  config: ModelsConfig,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
  env: Environment = process.env,
): ModelDefinition[] {
  const short = shortForm(config);
  const listed = config.MODELS_FILE ? parseFile(readText(config.MODELS_FILE, readFile)) : [];
  const faults = fileFaults(
    listed,
    [...short, ...listed].map(({ name }) => name),
    env,
  );
  if (faults.length > 0) throw new ConfigError(faults);
  const models = listed.map((model): ModelDefinition => ({
    name: model.name,
    endpoint: model.endpoint,
    upstreamName: model.model,
    apiKey: model.api_key_env && env[model.api_key_env],
    contextWindow: model.context_window,
    maxOutput: model.max_output,
    images: model.images,
    imageUrls: model.image_urls,
    prices: model.prices,
    fallbacks: model.fallbacks,
    timeoutMs: model.timeout_ms ?? config.MODEL_TIMEOUT_MS,
  }));
  const all = [...short, ...models];
  return all.length > 0 ? all : [offlineModel(config.MODEL_TIMEOUT_MS)];
}
