import {
  PARTS,
  type Definition,
  type MetadataFields,
  type Part,
  type Prompt,
  type Schema,
} from '../../api/prompt-records.js';

/** A definition as its form has it. */
export interface DefinitionValues {
  name: string;
  description: string;
  /** JSON; nothing for the schema that takes anything. */
  schema: string;
  /** Ids of definitions whose schemas hold as well. */
  reference: string[];
}

/** A prompt as its form has it. */
export interface PromptValues extends MetadataFields, Record<Part, string> {
  input: DefinitionValues;
  output: DefinitionValues;
  /** Why it is saved. */
  log_message: string;
}

export const titleOf = ({ metadata: { title } }: Pick<Prompt, 'metadata'>): string => title || 'Untitled';

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
  input: NO_DEFINITION,
  output: NO_DEFINITION,
};

export const schemaText = (schema: Schema): string =>
  Object.keys(schema).length === 0 ? '' : JSON.stringify(schema, null, 2);

export function valuesOf({ instruction, input, output, metadata }: Prompt): PromptValues {
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
    input: definitionValues(input),
    output: definitionValues(output),
  };
}

function definitionValues({ name, description, schema, reference }: Definition): DefinitionValues {
  return { name, description, schema: schemaText(schema), reference: reference.map(({ uuid }) => uuid) };
}

/** The schema in a text; a sentence that says why there is none. */
export function schemaIn(text: string): Schema | string {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Schema) : 'This has to be a JSON object.';
  } catch (error) {
    return `This is no JSON yet: ${error instanceof Error ? error.message : ''}`;
  }
}

const definitionBody = ({ schema, ...fields }: DefinitionValues) => {
  const found = schemaIn(schema);
  return typeof found === 'string' ? undefined : { ...fields, schema: found };
};

/** What is sent to save it; its schemas have to be JSON. */
export function bodyOf(values: PromptValues) {
  const { title, description, tag, status, log_message } = values;
  return {
    instruction: instructionOf(values),
    input: definitionBody(values.input),
    output: definitionBody(values.output),
    metadata: { title: title.trim(), description, tag, status, log_message },
  };
}

/** What is sent to look into it; `undefined` while nobody knows what the input has, because it is no JSON. */
export function draftOf(values: PromptValues) {
  const input = definitionBody(values.input);
  const output = definitionBody(values.output) ?? { schema: {}, reference: [] };
  if (!input) return undefined;
  const only = ({ schema, reference }: Pick<typeof input, 'schema' | 'reference'>) => ({ schema, reference });
  return { instruction: instructionOf(values), input: only(input), output: only(output) };
}

function instructionOf(values: PromptValues): Record<Part, string> {
  return Object.fromEntries(PARTS.map((part) => [part, values[part]])) as Record<Part, string>;
}

/** The names of a schema's own properties. */
export function propertiesOf(schema: Schema): Record<string, Schema> {
  const { properties } = schema;
  return typeof properties === 'object' && properties !== null ? (properties as Record<string, Schema>) : {};
}

/** The schema with these texts as further properties. */
export function withProperties(schema: Schema, names: readonly string[]): Schema {
  const added = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return { type: 'object', ...schema, properties: { ...propertiesOf(schema), ...added } };
}
