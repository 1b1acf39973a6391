export { checkSchema } from './check-schema.js';
export { mergeReferences, propertyNames } from './merge-references.js';
export type { SchemaFault } from './schema-fault.js';
export { toDraft07 } from './to-draft-07.js';
export {
  createSchemaValidator,
  schemaKey,
  SchemaValidatorBusy,
  type ProjectSchemas,
  type SchemaValidator,
  type SchemaValidatorOptions,
} from './schema-validator.js';
