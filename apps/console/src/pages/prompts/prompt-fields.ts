import { isJsonObject } from '@millwright/json';
import { type Definition, type MetadataFields, type Part, type Prompt, type Schema } from '../../api/prompt-records.js';
import { NO_PARAMETERS, parametersIn, parameterValues, type ParameterValues } from '../../ui/parameter-values.js';

/** A definition as the form edits it. */
export interface DefinitionValues {
  name: string;
  description: string;
  /** Schema as JSON text; empty for a schema that accepts any value. */
  schema: string;
  /** Ids of other definitions. Their schemas apply in addition to this schema. */
  reference: string[];
}

/** A prompt as the form edits it. */
export interface PromptValues extends MetadataFields, Record<Part, string> {
  model_parameters: ParameterValues;
  input: DefinitionValues;
  output: DefinitionValues;
  /** The reason why the author changed the prompt. */
  log_message: string;
}

const NO_DEFINITION: DefinitionValues = { name: '', description: '', schema: '', reference: [] };

export const EMPTY: PromptValues = {
  title: '',
  description: '',
  tag: [],
  status: 'published',
  log_message: '',
  static: '',
  state: '',
  dynamic: '{{message}}',
  model_parameters: NO_PARAMETERS,
  input: NO_DEFINITION,
  output: NO_DEFINITION,
};

export const schemaText = (schema: Schema): string =>
  Object.keys(schema).length === 0 ? '' : JSON.stringify(schema, null, 2);

export function valuesOf({ instruction, input, output, model_parameters, metadata }: Prompt): PromptValues {
  const { title, description, tag, status } = metadata;
  const { static: fixed, state, dynamic } = instruction;
  return {
    title,
    description,
    tag,
    status,
    log_message: '',
    static: fixed,
    state,
    dynamic,
    model_parameters: parameterValues(model_parameters),
    input: definitionValues(input),
    output: definitionValues(output),
  };
}

function definitionValues({ name, description, schema, reference }: Definition): DefinitionValues {
  return { name, description, schema: schemaText(schema), reference: reference.map(({ uuid }) => uuid) };
}

/** Parses a schema. Returns a sentence about the fault when the text is not a JSON object. */
export function schemaIn(text: string): Schema | string {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : 'This has to be a JSON object.';
  } catch (error) {
    return `Invalid JSON: ${error instanceof Error ? error.message : ''}`;
  }
}

const definitionBody = ({ schema, ...fields }: DefinitionValues) => {
  const found = schemaIn(schema);
  return typeof found === 'string' ? undefined : { ...fields, schema: found };
};

/** The request body for saving. The schemas in `values` must be valid JSON. */
export function bodyOf(values: PromptValues) {
  const { title, description, tag, status, log_message } = values;
  return {
    instruction: instructionOf(values),
    input: definitionBody(values.input),
    output: definitionBody(values.output),
    model_parameters: parametersIn(values.model_parameters),
    metadata: { title: title.trim(), description, tag, status, log_message },
  };
}

/** The request body for rendering a draft; `undefined` while the input's schema is not JSON. */
export function draftOf(values: PromptValues) {
  const input = definitionBody(values.input);
  const output = definitionBody(values.output) ?? { schema: {}, reference: [] };
  if (!input) return undefined;
  const only = ({ schema, reference }: Pick<typeof input, 'schema' | 'reference'>) => ({ schema, reference });
  return { instruction: instructionOf(values), input: only(input), output: only(output) };
}

function instructionOf(values: PromptValues): Record<Part, string> {
  return { static: values.static, state: values.state, dynamic: values.dynamic };
}

/** Adds string properties with these names to the schema. */
export function withProperties(schema: Schema, names: readonly string[]): Schema {
  const added = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return {
    type: 'object',
    ...schema,
    properties: { ...(isJsonObject(schema['properties']) && schema['properties']), ...added },
  };
}
