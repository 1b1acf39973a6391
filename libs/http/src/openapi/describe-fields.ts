import { describeField } from './fields/index.js';
import { mediaOf, operationsOf, partsOf, type Described, type Schema } from './schema.js';

/**
 * Adds a description to each parameter and field that has none in its contract, by the name and the owner of the field.
 */
export function describeFields(document: Described): void {
  for (const operation of operationsOf(document)) {
    const owner = operation.operationId;
    for (const parameter of operation.parameters) {
      if ('$ref' in parameter) continue;
      // The description of a parameter's schema is also the description of the parameter.
      parameter.description ??= parameter.schema.description ?? describeField(owner, parameter.name);
    }
    for (const { schema, 'x-events': events = {} } of mediaOf(operation))
      for (const part of [...(schema ? [schema] : []), ...Object.values(events)]) describe(part, owner);
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) describe(schema, name);
}

function describe(schema: Schema, owner: string): void {
  for (const [name, part] of partsOf(schema)) {
    if (name !== undefined) {
      const text = part.description ?? describeField(owner, name);
      if (text !== undefined) part.description = text;
    }
    describe(part, name ?? owner);
  }
}
