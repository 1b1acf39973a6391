/**
 * Descriptions by the name of a field, or by `owner.name`. The owner is the named schema, the operation or the field
 * that contains the field. The name of a record also stands for its other schemas: `Trigger.input` describes
 * `NewTrigger.input`. A description in the contract overrides these descriptions.
 */
export type FieldWords = Readonly<Record<string, string>>;
