import { z } from 'zod';

/** The efforts that providers define; a provider refuses efforts that its model does not have. */
export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;

/** Parameters of requests to models. For a parameter that is left out, the default of the model applies, or else the default of its provider. */
export const ModelParameters = z
  .strictObject({
    temperature: z.number().min(0).max(2).meta({ description: '0: always the likeliest words; 2: the most varied' }),
    max_tokens: z.int().min(1).max(10_000_000).meta({ description: 'Longest answer in tokens' }),
    top_p: z.number().min(0).max(1).meta({ description: 'Share of the likeliest words to choose from' }),
    reasoning_effort: z.enum(REASONING_EFFORTS).meta({
      description: 'How long a reasoning model thinks; a provider refuses values that its model does not have',
    }),
    stop: z.array(z.string().min(1).max(200)).max(4).meta({ description: 'Texts at which the answer ends' }),
  })
  .partial();
export type ModelParameters = z.output<typeof ModelParameters>;

/** Reads parameters that were stored by `ModelParameters`. Those of a later release are left out. */
export function readParameters(stored: unknown): ModelParameters {
  const { shape } = ModelParameters;
  const entries = Object.entries(stored ?? {}).flatMap(([name, value]) => {
    const field = Object.hasOwn(shape, name) ? shape[name as keyof typeof shape] : undefined;
    const parsed = field?.safeParse(value);
    return parsed?.success && parsed.data !== undefined ? [[name, parsed.data] as const] : [];
  });
  return ModelParameters.parse(Object.fromEntries(entries));
}

/** Parameters that a server may or may not support. They are passed to the server unchanged. */
export interface ModelSampling {
  topP?: number | undefined;
  stop?: readonly string[] | undefined;
  seed?: number | undefined;
  frequencyPenalty?: number | undefined;
  presencePenalty?: number | undefined;
  reasoningEffort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max' | undefined;
  verbosity?: 'low' | 'medium' | 'high' | undefined;
}

/** The parameters that a request sets. */
export interface StatedParameters {
  temperature?: number;
  maxTokens?: number;
  sampling?: ModelSampling;
}

/** Parameters as members of a request body. */
export function requestParameters(parameters: ModelParameters): StatedParameters {
  const { temperature, max_tokens: maxTokens, top_p: topP, reasoning_effort: reasoningEffort, stop } = parameters;
  const sampling = withoutUndefined({ topP, reasoningEffort, stop: stop?.length ? stop : undefined });
  return {
    ...withoutUndefined({ temperature, maxTokens }),
    ...(Object.keys(sampling).length > 0 && { sampling }),
  };
}

/** Merges parameters. The first parameters, which the request sets, take precedence over `parameters`. */
export function statedOver(
  { temperature, maxTokens, sampling }: { [Name in keyof StatedParameters]?: StatedParameters[Name] | undefined },
  parameters: ModelParameters,
): StatedParameters {
  const below = requestParameters(parameters);
  const merged = { ...below.sampling, ...withoutUndefined({ ...sampling }) };
  return {
    ...below,
    ...withoutUndefined({ temperature, maxTokens }),
    ...(Object.keys(merged).length > 0 && { sampling: merged }),
  };
}

/** The parameters that a request sets, by their names in the API. */
export function namedParameters({ temperature, maxTokens, sampling = {} }: StatedParameters): Record<string, unknown> {
  return withoutUndefined({
    temperature,
    max_tokens: maxTokens,
    top_p: sampling.topP,
    stop: sampling.stop,
    seed: sampling.seed,
    frequency_penalty: sampling.frequencyPenalty,
    presence_penalty: sampling.presencePenalty,
    reasoning_effort: sampling.reasoningEffort,
    verbosity: sampling.verbosity,
  });
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

const withoutUndefined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;
