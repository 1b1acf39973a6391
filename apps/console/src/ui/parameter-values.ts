import type { Model } from '../api/platform-records.js';

export type Parameters = Model['parameters'];

/** Parameters of a model in a form: numbers as typed. */
export interface ParameterValues {
  temperature: string;
  max_tokens: string;
  top_p: string;
  reasoning_effort: string;
  stop: string[];
}

export const NO_PARAMETERS: ParameterValues = {
  temperature: '',
  max_tokens: '',
  top_p: '',
  reasoning_effort: '',
  stop: [],
};

export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;

const textOf = (value: number | undefined): string => (value === undefined ? '' : String(value));
const numberIn = (text: string): number | undefined => (text.trim() === '' ? undefined : Number(text));

export const parameterValues = (parameters: Parameters): ParameterValues => ({
  temperature: textOf(parameters.temperature),
  max_tokens: textOf(parameters.max_tokens),
  top_p: textOf(parameters.top_p),
  reasoning_effort: parameters.reasoning_effort ?? '',
  stop: parameters.stop ?? [],
});

/** Returns the parameters for a request; empty values are left out. */
export function parametersIn(values: ParameterValues): Parameters {
  const [temperature, max_tokens, top_p] = [values.temperature, values.max_tokens, values.top_p].map(numberIn);
  const reasoning_effort = EFFORTS.find((effort) => effort === values.reasoning_effort);
  return {
    ...(temperature !== undefined && { temperature }),
    ...(max_tokens !== undefined && { max_tokens }),
    ...(top_p !== undefined && { top_p }),
    ...(reasoning_effort !== undefined && { reasoning_effort }),
    ...(values.stop.length > 0 && { stop: values.stop }),
  };
}

/** Error messages by the name of the parameter. */
export function parameterFaults(values: ParameterValues): Partial<Record<keyof ParameterValues, string>> {
  const { temperature = 0, max_tokens = 1, top_p = 0 } = parametersIn(values);
  return {
    ...(!(temperature >= 0 && temperature <= 2) && { temperature: 'Enter a number from 0 to 2.' }),
    ...(!(top_p >= 0 && top_p <= 1) && { top_p: 'Enter a number from 0 to 1.' }),
    ...(!(Number.isInteger(max_tokens) && max_tokens >= 1) && { max_tokens: 'Enter a whole number from 1.' }),
  };
}
