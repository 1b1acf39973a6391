/**
 * Descriptions by the name of a field, or by `owner.name`, where the owner is the named schema, the operation or the field that has it. An
 * owner also includes its record: `Trigger.input` describes `NewTrigger.input`. A description in the contract overrides them.
 */
export type FieldWords = Readonly<Record<string, string>>;
