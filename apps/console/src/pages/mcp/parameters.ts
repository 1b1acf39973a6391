type Schema = Readonly<Record<string, unknown>>;

/** A property of a JSON schema, in words. */
export interface ToolParameter {
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a tool takes, by its input schema. */
export function parametersOf(schema: Schema): ToolParameter[] {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  return Object.entries(properties).map(([name, property]) => {
    const of = isSchema(property) ? property : {};
    const { description } = of;
    return {
      name,
      type: typeText(of),
      isRequired: required.includes(name),
      description: typeof description === 'string' ? description : '',
    };
  });
}

function typeText({ type, enum: choices, items }: Schema): string {
  if (Array.isArray(choices)) return choices.map((choice) => JSON.stringify(choice)).join(' | ');
  if (Array.isArray(type)) return type.map(String).join(' | ');
  if (type === 'array' && isSchema(items) && typeof items['type'] === 'string') return `${items['type']}[]`;
  return typeof type === 'string' ? type : 'any';
}
