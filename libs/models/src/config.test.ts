import { ConfigError, parseConfig } from '@millwright/config';
import { z } from 'zod';
import { loadModels, modelsConfig } from './index.js';

const config = (env: Record<string, string> = {}) => parseConfig(z.object(modelsConfig), env);

const load = (file: string, env: Record<string, string> = {}, variables: Record<string, string> = {}) =>
  loadModels(config({ MODELS_FILE: 'models.yaml', ...variables }), () => file, env);

function faultsOf(loading: () => unknown): string[] {
  try {
    loading();
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map(({ variable, reason }) => `${variable}: ${reason}`);
    throw error;
  }
  throw new Error('no fault');
}

const file = `
models:
  - name: large
    endpoint: https://models.example/v1/
    model: vendor/large
    api_key_env: LARGE_KEY
    context_window: 200000
    images: true
    image_urls: true
    prices: { input: 2.5, output: 10 }
    fallbacks: [small]
    timeout_ms: 30000
  - name: small
    endpoint: http://models.internal:8000/v1
`;

describe('loadModels', () => {
  it('reads a file of models, whose first model is the default', () => {
    expect(load(file, { LARGE_KEY: 'secret' })).toEqual([
      {
        name: 'large',
        endpoint: 'https://models.example/v1',
        upstreamName: 'vendor/large',
        apiKey: 'secret',
        contextWindow: 200_000,
        images: true,
        imageUrls: true,
        prices: { input: 2.5, output: 10 },
        fallbacks: ['small'],
        timeoutMs: 30_000,
      },
      {
        name: 'small',
        endpoint: 'http://models.internal:8000/v1',
        contextWindow: 128_000,
        images: false,
        imageUrls: false,
        fallbacks: [],
        timeoutMs: 60_000,
      },
    ]);
  });

  it('reads one model from the MODEL_ variables, and lists it before the models of the file', () => {
    const short = {
      MODEL_BASE_URL: 'http://127.0.0.1:1/v1',
      MODEL_NAME: 'one',
      MODEL_API_KEY: 'secret',
      MODEL_TIMEOUT_MS: '500',
    };
    const one = {
      name: 'one',
      endpoint: 'http://127.0.0.1:1/v1',
      apiKey: 'secret',
      contextWindow: 128_000,
      fallbacks: [],
      timeoutMs: 500,
    };
    expect(loadModels(config(short))).toEqual([one]);
    expect(load(file, { LARGE_KEY: 'secret' }, short).map(({ name }) => name)).toEqual(['one', 'large', 'small']);
  });

  it('returns the offline model when nothing is configured', () => {
    expect(loadModels(config())).toEqual([
      { name: 'offline', endpoint: null, contextWindow: 128_000, fallbacks: [], timeoutMs: 60_000 },
    ]);
  });

  it('reports the missing MODEL_ variables', () => {
    expect(faultsOf(() => loadModels(config({ MODEL_API_KEY: 'secret' })))).toEqual([
      'MODEL_BASE_URL: is required when another MODEL_ variable is set',
      'MODEL_NAME: is required when another MODEL_ variable is set',
    ]);
  });

  it('reports every fault of the file', () => {
    const wrong = `
models:
  - { name: a, endpoint: "https://user:sk-secret@models.example/v1", api_key_env: sk-secret, key: sk-secret }
  - { name: 3, endpoint: nowhere, context_window: -1, prices: { input: free } }
`;
    const faults = faultsOf(() => load(wrong));
    expect(faults).toEqual([
      'MODELS_FILE: models[0].endpoint must not carry a user or password',
      'MODELS_FILE: models[0].api_key_env must be the name of an environment variable',
      'MODELS_FILE: models[0] has unknown keys: key',
      'MODELS_FILE: models[1].name must be a name',
      'MODELS_FILE: models[1].endpoint must be an absolute URL starting with http:// or https://',
      'MODELS_FILE: models[1].context_window must be above 0',
      'MODELS_FILE: models[1].prices.input must be a number of USD for a million tokens',
      'MODELS_FILE: models[1].prices.output must be a number of USD for a million tokens',
    ]);
    expect(faults.join()).not.toContain('sk-secret');
  });

  it.each([
    ['MODELS_FILE: models[0].api_key_env: the environment variable LARGE_KEY is not set', file],
    [
      'MODELS_FILE: models[0].fallbacks must name other models',
      'models: [{ name: a, endpoint: "http://a/v1", fallbacks: [b] }]',
    ],
    [
      'MODELS_FILE: models[0].fallbacks must name other models',
      'models: [{ name: a, endpoint: "http://a/v1", fallbacks: [a] }]',
    ],
    ['MODELS_FILE: must have a list of models', ''],
    ['MODELS_FILE: models must be a list of models', 'models: sk-secret'],
    ['MODELS_FILE: models[0] must be a model', 'models: [sk-secret]'],
    ['MODELS_FILE: is not valid YAML (line 2)', 'models:\n  - [sk-secret'],
  ])('reports the fault %j', (fault, text) => {
    expect(faultsOf(() => load(text))).toEqual([fault]);
  });

  it('reports names that are used twice and a file that cannot be read', () => {
    expect(
      faultsOf(() => load('models: [{ name: a, endpoint: "http://a/v1" }, { name: a, endpoint: "http://b/v1" }]')),
    ).toEqual(['MODELS_FILE: models[0].name is used twice', 'MODELS_FILE: models[1].name is used twice']);
    expect(faultsOf(() => loadModels(config({ MODELS_FILE: '/nowhere.yaml' })))).toEqual([
      'MODELS_FILE: names a file that cannot be read',
    ]);
  });
});
