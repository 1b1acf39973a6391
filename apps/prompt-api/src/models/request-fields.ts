import { LARGE_BODY_BYTES } from '@millwright/http';
import { z } from 'zod';

/** Fields of requests in the form of OpenAI, for all endpoints of that form. */

/**
 * Returns the schema of a field that is not supported. The field may be absent, null, or have a value without effect, for which `asksForNothing`
 * returns true.
 */
export const unsupported = (asksForNothing: (value: unknown) => boolean = () => false) =>
  z
    .unknown()
    .refine((value) => value === undefined || value === null || asksForNothing(value), 'is not supported')
    .optional();

export const oneOf =
  (...values: readonly unknown[]) =>
  (value: unknown) =>
    values.includes(value);

export const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

export const text = z.string().max(1_000_000);

/** An image or a file in base64, or its data URL. Only the limit of the whole body applies. */
export const base64Text = z.string().max(LARGE_BODY_BYTES);

export const orNull = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

export const FILE_DATA = {
  description: 'Data URL of a PDF or DOCX document, or of a text, JSON, XML or YAML in UTF-8: the model reads its text',
};

export const ImageDetail = z.enum(['auto', 'low', 'high']).meta({ description: 'How closely the model looks at it' });
export const FileName = z
  .string()
  .max(255)
  .nullish()
  .meta({ description: 'Name under which the model reads the file' });

export const ReasoningEffort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);
export const Verbosity = z.enum(['low', 'medium', 'high']);

/** In a pair of metadata, the key has at most 64 characters and the value at most 512. */
export const RequestMetadata = z
  .record(z.string().max(64), z.string().max(512))
  .refine((pairs) => Object.keys(pairs).length <= 16, 'must have at most 16 pairs');

export const MOST_TOOLS = 128;
export const ToolName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

/** A function that the client executes itself. */
export const ToolFunction = z.object({
  name: ToolName,
  description: z.string().max(10_000).nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
});
export type ToolFunction = z.output<typeof ToolFunction>;

/** A call of a client's tool that the model wrote; its arguments are JSON text, which is not checked. */
export const callFields = { name: z.string().min(1).max(200), arguments: text };
export const CallId = z.string().min(1).max(200);
