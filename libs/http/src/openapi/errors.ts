import { AppError, jsonTypeOf, renderers, type AnswerForm, type ErrorCode } from '@millwright/errors';
import type { Schema } from './schema.js';

const integer = { type: 'integer' };

const text = (description: string): Schema => ({ type: 'string', description });

function object(properties: Record<string, Schema>): Schema {
  return { type: 'object', properties, required: Object.keys(properties) };
}

const CODE = text('Name of the error for programs. Later releases may add names.');
const MESSAGE = text('Error message: what is wrong and what to do.');
const STATUS: Schema = { ...integer, description: 'The HTTP status of the answer.' };

const plainError = object({ code: CODE, message: MESSAGE, status: STATUS });

/** The error envelope of each form, which libs/errors renders. */
export const ERROR_SCHEMAS: Record<AnswerForm, Schema> = {
  admin: object({ error: { ...plainError, description: 'What went amiss.' } }),
  platform: object({ error: { ...plainError, description: 'What went amiss.' } }),
  runtime: object({
    error: {
      ...object({
        code: CODE,
        message: MESSAGE,
        details: {
          ...object({
            field: text('The field at fault, dotted; empty when no field is.'),
            reason: text('Why it is refused.'),
          }),
          description: 'The first field at fault.',
        },
      }),
      description: 'What went amiss.',
    },
  }),
  prompt: object({
    error: {
      ...object({
        code: CODE,
        message: MESSAGE,
        status: STATUS,
        type: text("Kind of the error, as in OpenAI's API."),
        param: { type: ['string', 'null'], description: 'The field at fault; null when no field is.' },
      }),
      description: 'What went amiss.',
    },
    message: MESSAGE,
  }),
  scim: {
    type: 'object',
    properties: {
      schemas: { type: 'array', items: { type: 'string' }, description: 'Always the schema of errors (RFC 7644).' },
      status: text('The HTTP status of the answer.'),
      scimType: text('Kind of the error (RFC 7644, section 3.12).'),
      detail: MESSAGE,
    },
    required: ['schemas', 'status', 'detail'],
  },
};

/** Returns the name of an error schema. */
export const errorName = (form: AnswerForm): string => (form === 'scim' ? 'ScimError' : 'ApiError');

/** The content of an answer with one of these codes. The first code is the example. */
export function errorContent(form: AnswerForm, [code]: readonly ErrorCode[]): object {
  return {
    [jsonTypeOf(form)]: {
      schema: { $ref: `#/components/schemas/${errorName(form)}` },
      ...(code && { example: renderers[form](new AppError(code)).body }),
    },
  };
}
