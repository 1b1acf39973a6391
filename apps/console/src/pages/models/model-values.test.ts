import { KEPT, type Model, type ModelPreset } from '../../api/platform-records.js';
import { NO_PARAMETERS } from '../../ui/parameter-values.js';
import { bodyOf, EMPTY_MODEL, faultsOf, newModelOf, valuesOf, withPreset } from './model-values.js';

const OPENAI: ModelPreset = {
  id: 'openai',
  name: 'OpenAI',
  base_url: 'https://api.openai.com/v1',
  needs_key: true,
  models_url: null,
};
const OWN: ModelPreset = { ...OPENAI, id: 'compatible', name: 'Other', base_url: null, needs_key: false };

const MODEL: Model = {
  id: 'mdl_1',
  name: 'house',
  source: 'project',
  preset: 'openai',
  base_url: 'https://api.openai.com/v1',
  upstream_model: 'gpt-5',
  api_key: KEPT,
  parameters: { temperature: 0, stop: ['END'] },
  context_window: 200_000,
  max_output: null,
  images: false,
  image_urls: false,
  prices: { input: 0.25, output: 2 },
  fallbacks: ['spare'],
  is_default: true,
  status: 'active',
  health: { state: 'healthy', last_success_at: null, last_failure: null },
  created_at: null,
  updated_at: null,
};

describe('valuesOf and bodyOf', () => {
  it('leave a model unchanged, including its masked key and a temperature of 0', () => {
    expect(bodyOf(valuesOf(MODEL))).toEqual({
      preset: 'openai',
      base_url: 'https://api.openai.com/v1',
      upstream_model: 'gpt-5',
      api_key: KEPT,
      parameters: { temperature: 0, stop: ['END'] },
      context_window: 200_000,
      max_output: null,
      images: false,
      image_urls: false,
      prices: { input: 0.25, output: 2 },
      fallbacks: ['spare'],
      is_default: true,
      status: 'active',
    });
  });

  it('turn image_urls off when the model reads no images', () => {
    const seeing = { ...EMPTY_MODEL, images: true, image_urls: true };
    expect([bodyOf(seeing).image_urls, bodyOf({ ...seeing, images: false }).image_urls]).toEqual([true, false]);
  });

  it('omit empty fields, so that the server uses the values of the preset', () => {
    expect(newModelOf({ ...EMPTY_MODEL, name: ' house ', api_key: 'sk-1' })).toEqual({
      name: 'house',
      preset: 'openai',
      api_key: 'sk-1',
      parameters: {},
      context_window: 128_000,
      max_output: null,
      images: false,
      image_urls: false,
      fallbacks: [],
      is_default: false,
      status: 'active',
    });
  });
});

describe('faultsOf', () => {
  const faults = (changes: object, preset = OPENAI) =>
    faultsOf({ ...EMPTY_MODEL, name: 'm', api_key: 'k', ...changes }, preset);

  it.each([
    [{}, {}],
    [{ name: ' ' }, { name: 'Enter a name.' }],
    [{ api_key: '' }, { api_key: 'Enter the API key.' }],
    [{ base_url: 'api.example.com' }, { base_url: 'Enter a full URL.' }],
    [{ parameters: { ...NO_PARAMETERS, temperature: 'warm' } }, { parameters: 'Correct the parameters.' }],
    [{ input_price: '1' }, { output_price: 'Enter both prices, or none.' }],
  ])('returns for the values %j the faults %j', (changes, expected) => expect(faults(changes)).toEqual(expected));

  it('requires an address, but no key, for a provider without a fixed address', () => {
    expect(faults({ api_key: '' }, OWN)).toEqual({ base_url: 'Enter the base address.' });
  });
});

describe('withPreset', () => {
  it('sets the address of the provider, and removes a key that was stored for another provider', () => {
    expect(withPreset(valuesOf(MODEL), OWN)).toMatchObject({ preset: 'compatible', base_url: '', api_key: '' });
    expect(withPreset({ ...EMPTY_MODEL, api_key: 'typed' }, OPENAI)).toMatchObject({
      base_url: 'https://api.openai.com/v1',
      api_key: 'typed',
    });
  });
});
