/**
 * Descriptions by the name of a field, or by `owner.name`, where the owner is the named schema or the field that has it. A description in
 * the contract overrides them.
 */
export type FieldWords = Readonly<Record<string, string>>;
