import type { AppError, ScimType } from './app-error.js';
import type { ErrorCode } from './catalogue.js';

export type Area = 'admin' | 'platform' | 'runtime' | 'prompt';

/** The form of an answer: the form of a service, or that of SCIM, in which admin-auth answers provisioning clients. */
export type AnswerForm = Area | 'scim';

/** Returns the media type of answers in JSON. */
export const jsonTypeOf = (form: AnswerForm): string =>
  form === 'scim' ? 'application/scim+json' : 'application/json';

export interface RenderedError {
  status: number;
  body: object;
  headers?: Readonly<Record<string, string>>;
}

export type ErrorRenderer = (error: AppError) => RenderedError;

/** Codes of the catalogue for which clients receive another code. The texts of the errors are not replaced. */
const WIRE_CODES: Partial<Record<ErrorCode, ErrorCode>> = {
  endpoint_not_found: 'not_found',
  idempotency_conflict: 'conflict',
  idempotency_running: 'conflict',
  quota_exceeded: 'forbidden',
  quota_too_small: 'payload_too_large',
};

const wireCode = (code: ErrorCode): ErrorCode => WIRE_CODES[code] ?? code;

function messageWithFields(error: AppError): string {
  if (error.fields.length === 0) return error.message;
  const faults = error.fields.map(({ field, reason }) => `${field}: ${reason}`).join('; ');
  return `${error.message.replace(/\.$/, '')}: ${faults}.`;
}

function platformError(error: AppError, status = error.status): RenderedError {
  return { status, body: { error: { code: wireCode(error.code), message: messageWithFields(error), status } } };
}

/** Returns the status in the forms of the runtime API, the prompt API and SCIM: 400 where admin-auth and the platform API answer 422. */
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
    // Without this header, OpenAI's clients would repeat a conflicting request again and again.
    ...(status === 409 && { headers: { 'x-should-retry': 'false' } }),
  };
}

/** Returns the `type` of an error in Anthropic's form. */
function anthropicType(status: number): string {
  const types: Readonly<Record<number, string>> = {
    401: 'authentication_error',
    403: 'permission_error',
    404: 'not_found_error',
    413: 'request_too_large',
    429: 'rate_limit_error',
    503: 'overloaded_error',
  };
  return types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
}

/** Returns the prompt API's envelope, with the additional members by which Anthropic's clients distinguish failures. */
export const anthropicError: ErrorRenderer = (error) => {
  const { status, headers, body } = promptError(error);
  const { error: described, message } = body as { error: object; message: string };
  return {
    status,
    body: { type: 'error', error: { ...described, type: anthropicType(status) }, message },
    ...(headers && { headers }),
  };
};

/** Returns the `type` of an error, by which OpenAI's clients distinguish failures. */
function openAiType(status: number): string {
  if (status >= 500) return 'server_error';
  const types: Readonly<Record<number, string>> = {
    401: 'authentication_error',
    403: 'permission_error',
    429: 'rate_limit_error',
  };
  return types[status] ?? 'invalid_request_error';
}

const SCIM_TYPES: Partial<Record<ErrorCode, ScimType>> = {
  bad_request: 'invalidSyntax',
  validation_error: 'invalidValue',
  conflict: 'uniqueness',
};

/** Renders an error in SCIM's form (RFC 7644 §3.12). */
function scimError(error: AppError): RenderedError {
  const status = badRequestStatus(error);
  const scimType = error.scimType ?? SCIM_TYPES[error.code];
  const described = { status: String(status), ...(scimType && { scimType }), detail: messageWithFields(error) };
  return {
    status,
    body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], ...described },
    headers: { 'Content-Type': jsonTypeOf('scim') },
  };
}

/** The error envelope of each form, as docs/errors.md describes it. */
export const renderers: Readonly<Record<AnswerForm, ErrorRenderer>> = {
  admin: (error) => platformError(error),
  platform: (error) => platformError(error),
  runtime: runtimeError,
  prompt: promptError,
  scim: scimError,
};
