import { KEPT, type Model, type ModelPreset } from '../../api/platform-records.js';
import {
  NO_PARAMETERS,
  parameterFaults,
  parametersIn,
  parameterValues,
  type ParameterValues,
} from '../../ui/parameter-values.js';

/** A model as its form edits it: numbers are texts. */
export interface ModelValues {
  preset: string;
  name: string;
  base_url: string;
  upstream_model: string;
  /** API key as typed; `KEPT` keeps the stored key. */
  api_key: string;
  input_price: string;
  output_price: string;
  context_window: string;
  max_output: string;
  images: boolean;
  image_urls: boolean;
  parameters: ParameterValues;
  fallbacks: string[];
  is_default: boolean;
  status: string;
}

export const EMPTY_MODEL: ModelValues = {
  preset: 'openai',
  name: '',
  base_url: '',
  upstream_model: '',
  api_key: '',
  input_price: '',
  output_price: '',
  context_window: '128000',
  max_output: '',
  images: false,
  image_urls: false,
  parameters: NO_PARAMETERS,
  fallbacks: [],
  is_default: false,
  status: 'active',
};

const textOf = (value: number | null | undefined): string => (value == null ? '' : String(value));

export function valuesOf({ parameters, prices, ...model }: Model): ModelValues {
  return {
    preset: model.preset ?? 'compatible',
    name: model.name,
    base_url: model.base_url ?? '',
    upstream_model: model.upstream_model,
    api_key: model.api_key ?? '',
    input_price: textOf(prices?.input),
    output_price: textOf(prices?.output),
    context_window: textOf(model.context_window),
    max_output: textOf(model.max_output),
    images: model.images,
    image_urls: model.image_urls,
    parameters: parameterValues(parameters),
    fallbacks: model.fallbacks,
    is_default: model.is_default,
    status: model.status,
  };
}

const numberIn = (text: string): number | undefined => (text.trim() === '' ? undefined : Number(text));

/** Makes the body of a request. Empty fields are left out, so that the server uses the values of the preset, the model or the provider. */
export function bodyOf(values: ModelValues) {
  const { base_url, upstream_model, api_key, input_price, output_price, context_window, max_output } = values;
  const input = numberIn(input_price);
  const output = numberIn(output_price);
  return {
    preset: values.preset,
    ...(base_url.trim() !== '' && { base_url: base_url.trim() }),
    ...(upstream_model.trim() !== '' && { upstream_model: upstream_model.trim() }),
    api_key: api_key === '' ? null : api_key,
    parameters: parametersIn(values.parameters),
    ...(context_window.trim() !== '' && { context_window: Number(context_window) }),
    max_output: numberIn(max_output) ?? null,
    images: values.images,
    image_urls: values.images && values.image_urls,
    ...(input !== undefined && output !== undefined && { prices: { input, output } }),
    fallbacks: values.fallbacks,
    is_default: values.is_default,
    status: values.status,
  };
}

/** Makes the body for a new model. Only a new model has a name in its body, because names never change. */
export const newModelOf = (values: ModelValues) => ({ name: values.name.trim(), ...bodyOf(values) });

const NUMBERS = ['input_price', 'output_price', 'context_window', 'max_output'] as const;

/** Returns a message for each faulty field, by the name of the field. */
export function faultsOf(
  values: ModelValues,
  preset: ModelPreset | undefined,
): Partial<Record<keyof ModelValues, string>> {
  const wrong = NUMBERS.filter((name) => {
    const value = numberIn(values[name]);
    return value !== undefined && !(value >= 0);
  });
  const hasOnePrice = (values.input_price.trim() === '') !== (values.output_price.trim() === '');
  const base = values.base_url.trim();
  const needsBase = preset !== undefined && preset.base_url === null && base === '';
  return {
    ...Object.fromEntries(wrong.map((name) => [name, 'Enter a number.'])),
    ...(Object.keys(parameterFaults(values.parameters)).length > 0 && { parameters: 'Correct the parameters.' }),
    ...(values.name.trim() === '' && { name: 'Enter a name.' }),
    ...(needsBase && { base_url: 'Enter the base address.' }),
    ...(base !== '' && !URL.canParse(base) && { base_url: 'Enter a full URL.' }),
    ...(preset?.needs_key && values.api_key === '' && { api_key: 'Enter the API key.' }),
    ...(hasOnePrice && { output_price: 'Enter both prices, or none.' }),
  };
}

/** Changes the provider. Sets the address of the new provider, and removes a stored key, which belongs to the former provider. */
export function withPreset(values: ModelValues, next: ModelPreset): ModelValues {
  return {
    ...values,
    preset: next.id,
    base_url: next.base_url ?? '',
    api_key: values.api_key === KEPT ? '' : values.api_key,
  };
}
