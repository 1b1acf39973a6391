import { isJsonObject } from '@millwright/json';
import { propertiesOf, type Schema } from '../../api/json-schema.js';

/** A parameter of a tool: one property of its input schema. */
export interface ToolParameter {
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
}

/** A tool's parameters, from its input schema. */
export function parametersOf(schema: Schema): ToolParameter[] {
  return propertiesOf(schema).map(({ name, schema: property, isRequired }) => ({
    name,
    type: typeText(property),
    isRequired,
    description: typeof property['description'] === 'string' ? property['description'] : '',
  }));
}

function typeText({ type, enum: choices, items }: Schema): string {
  if (Array.isArray(choices)) return choices.map((choice) => JSON.stringify(choice)).join(' | ');
  if (Array.isArray(type)) return type.map(String).join(' | ');
  if (type === 'array' && isJsonObject(items) && typeof items['type'] === 'string') return `${items['type']}[]`;
  return typeof type === 'string' ? type : 'any';
}
