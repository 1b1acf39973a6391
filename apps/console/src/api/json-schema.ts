import { isJsonObject } from '@millwright/json';

export type Schema = Readonly<Record<string, unknown>>;

/** Parses a text as a JSON object; `undefined` for any other text. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export interface SchemaProperty {
  name: string;
  schema: Schema;
  isRequired: boolean;
}

/** The properties that a JSON Schema of an object declares. */
export function propertiesOf({ properties, required }: Schema): SchemaProperty[] {
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  return Object.entries(isJsonObject(properties) ? properties : {}).map(([name, schema]) => ({
    name,
    schema: isJsonObject(schema) ? schema : {},
    isRequired: isRequired(name),
  }));
}
