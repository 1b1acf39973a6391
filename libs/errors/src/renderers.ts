import type { AppError } from './app-error.js';
import type { ErrorCode } from './catalogue.js';

export type Area = 'admin' | 'platform' | 'runtime' | 'prompt';

export interface RenderedError {
  status: number;
  body: object;
  headers?: Readonly<Record<string, string>>;
}

export type ErrorRenderer = (error: AppError) => RenderedError;

/** The code on the wire: two idempotency failures are one `conflict` to a client. */
function wireCode(code: ErrorCode): string {
  return code.startsWith('idempotency_') ? 'conflict' : code;
}

function messageWithFields(error: AppError): string {
  if (error.fields.length === 0) return error.message;
  const faults = error.fields.map(({ field, reason }) => `${field}: ${reason}`).join('; ');
  return `${error.message.replace(/\.$/, '')}: ${faults}.`;
}

function platformError(error: AppError, status = error.status): RenderedError {
  return { status, body: { error: { code: wireCode(error.code), message: messageWithFields(error), status } } };
}

/** Areas C and D answer 400 where A and B tell 400 and 422 apart. */
function badRequestStatus(error: AppError): number {
  return error.code === 'validation_error' ? 400 : error.status;
}

function runtimeError(error: AppError): RenderedError {
  const code = error.code === 'bad_request' ? 'VALIDATION_ERROR' : wireCode(error.code).toUpperCase();
  const [first = { field: error.code === 'bad_request' ? 'body' : '', reason: error.message }] = error.fields;
  const details = { field: first.field, reason: first.reason };
  return { status: badRequestStatus(error), body: { error: { code, message: messageWithFields(error), details } } };
}

function promptError(error: AppError): RenderedError {
  const { code, fields } = error;
  const status = badRequestStatus(error);
  const message = messageWithFields(error);
  const described = {
    code: wireCode(code),
    message,
    status,
    type: openAiType(status),
    param: fields[0]?.field ?? null,
  };
  return {
    status,
    body: { error: described, message },
    // OpenAI's clients would send what conflicts again, and again.
    ...(status === 409 && { headers: { 'x-should-retry': 'false' } }),
  };
}

/** What OpenAI's clients tell failures apart by. */
function openAiType(status: number): string {
  if (status >= 500) return 'server_error';
  const types: Readonly<Record<number, string>> = {
    401: 'authentication_error',
    403: 'permission_error',
    429: 'rate_limit_error',
  };
  return types[status] ?? 'invalid_request_error';
}

/** One envelope per area: spec, "Errors", and decisions §4 and §5. */
export const renderers: Readonly<Record<Area, ErrorRenderer>> = {
  admin: (error) => platformError(error),
  platform: (error) => platformError(error),
  runtime: runtimeError,
  prompt: promptError,
};
