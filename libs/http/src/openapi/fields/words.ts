/**
 * Descriptions by the name of a field, or by `owner.name`, where the owner is the named schema or the field that has it. A description
 * beside the schema in its contract goes before.
 */
export type FieldWords = Readonly<Record<string, string>>;
