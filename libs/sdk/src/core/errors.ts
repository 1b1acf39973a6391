/** Base class of every failure of the SDK. */
export class MillwrightError extends Error {
  override name = 'MillwrightError';
}

/** Error when no answer arrived: there is no network, the connection was refused, or no answer arrived within the timeout. */
export class ConnectionError extends MillwrightError {
  override name = 'ConnectionError';
}

/** Error for a stream that broke off before its last event and could not be resumed. */
export class StreamInterruptedError extends MillwrightError {
  override name = 'StreamInterruptedError';
}

/** Error for an answer that does not come from Millwright. The usual reason is a wrong base address. */
export class UnexpectedAnswerError extends MillwrightError {
  override name = 'UnexpectedAnswerError';
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

export interface ApiErrorDetails {
  status: number;
  /** Name of the error in lower case, such as `not_found`; empty when the answer names no error. */
  code: string;
  /** Name of the faulty field, with dots for nested fields. */
  field: string | undefined;
  /** `X-Request-Id` of the answer. Operators find the request by this id in the installation's logs and audit log. */
  requestId: string | undefined;
  /** Seconds after which the request may be sent again. */
  retryAfter: number | undefined;
  /** Address of the page about this error in the installation's documentation. */
  docUrl: string | undefined;
  /** The body as it was received. */
  body: unknown;
}

/** Error for an answer with status 400 or above. */
export class ApiError extends MillwrightError {
  override name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  readonly docUrl: string | undefined;
  readonly body: unknown;

  constructor(message: string, details: ApiErrorDetails) {
    super(message);
    this.status = details.status;
    this.code = details.code;
    this.field = details.field;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
    this.docUrl = details.docUrl;
    this.body = details.body;
  }
}

/** An error of status 401: there is no credential, or the credential is not valid. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}
/**
 * An error of status 403: the credential is valid, but does not permit the request. The prompt API also answers 403 to an invalid key in
 * `api-key`.
 */
export class PermissionError extends ApiError {
  override name = 'PermissionError';
}
/** An error of status 404: the record does not exist, or belongs to another project. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}
/** An error of status 409: the request conflicts with the current state. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}
/** An error of status 412: the record has changed since the program read it. */
export class PreconditionFailedError extends ApiError {
  override name = 'PreconditionFailedError';
}
/** An error of status 400 or 422: the request is not valid. */
export class ValidationError extends ApiError {
  override name = 'ValidationError';
}
/** An error of status 429: the client sent too many requests. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}

const CLASSES: Readonly<Record<number, typeof ApiError>> = {
  400: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  422: ValidationError,
  429: RateLimitError,
};

interface Envelope {
  error?: { code?: unknown; message?: unknown; details?: { field?: unknown }; param?: unknown };
}

/** Makes the error for an answer of status 400 or above. Accepts the error formats of all services. */
export function apiError(status: number, body: unknown, headers = new Headers()): ApiError {
  const error = typeof body === 'object' && body !== null ? (body as Envelope).error : undefined;
  const field = error?.details?.field ?? error?.param;
  const message = typeof error?.message === 'string' ? error.message : `The answer has status ${status}.`;
  return new (CLASSES[status] ?? ApiError)(message, {
    status,
    code: typeof error?.code === 'string' ? error.code.toLowerCase() : '',
    field: typeof field === 'string' && field !== '' ? field : undefined,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: retryAfterOf(headers),
    docUrl: /<([^>]*)>; rel="help"/.exec(headers.get('link') ?? '')?.[1],
    body,
  });
}

/**
 * Returns `Retry-After` in seconds. A date is compared with the `Date` of the same answer, because the clocks of client and
 * service may differ.
 */
export function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const until = Date.parse(text) - Date.parse(headers.get('date') ?? new Date().toUTCString());
  return Number.isNaN(until) ? undefined : Math.max(0, until / 1_000);
}
