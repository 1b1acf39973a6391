import type { Project } from '@millwright/auth';
import { invalidField } from '@millwright/errors';
import { toDraft07, type SchemaValidator } from '@millwright/schemas';
import { z } from 'zod';
import { keyOfSchema, type OutputForm } from './check-answer.js';

/** A JSON Schema of draft-07 or 2020-12, converted to draft-07. */
const OutputSchema = z.record(z.string(), z.unknown()).transform((schema, context) => {
  const translated = toDraft07(schema);
  if ('untranslatable' in translated) context.addIssue(`${String(translated['untranslatable'])}: is not supported`);
  return translated;
});

/** A schema that the answer must fit, in the form of OpenAI. */
export const NamedSchema = z.object({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  schema: OutputSchema,
  strict: z.boolean().nullish(),
  description: z.string().max(10_000).nullish(),
});
export type NamedSchema = z.output<typeof NamedSchema>;

/** Returns the output form that a request sets; `undefined` when the output schema of the prompt applies. */
export function outputForm(
  format: { type: 'text' | 'json_object' } | ({ type: 'json_schema' } & NamedSchema) | undefined,
): OutputForm | undefined {
  if (format?.type === 'json_schema')
    return { name: format.name, schema: format.schema, key: keyOfSchema(format.schema) };
  if (format?.type !== 'json_object') return undefined;
  const schema = { type: 'object' };
  return { name: 'output', schema, key: keyOfSchema(schema) };
}

/** @throws AppError validation_error for the invalid path in the schema, below `field` */
export async function requireUsableSchema(
  validator: Pick<SchemaValidator, 'of'>,
  project: Project,
  schema: Record<string, unknown> | undefined,
  field: string,
): Promise<void> {
  if (!schema) return;
  const [fault] = await validator.of(project).compile(schema);
  if (fault) throw invalidField([field, fault.path].filter((part) => part !== '').join('.'), fault.reason);
}
