import { catalogue, type ErrorCode } from './catalogue.js';

/** One fault of a request. `field` is a path with dots, such as `parameters.tone.default`, `query.page` or `body`. */
export interface FieldFault {
  field: string;
  reason: string;
}

/** The kinds of faults that SCIM's clients distinguish (RFC 7644 §3.12). */
export type ScimType = 'invalidFilter' | 'uniqueness' | 'invalidSyntax' | 'invalidPath' | 'invalidValue' | 'mutability';

export interface AppErrorOptions {
  /** Cause of the error, which is logged but never sent. */
  cause?: unknown;
  /** Faulty fields, which are sent in the order in which they were found. */
  fields?: readonly FieldFault[];
  /** Seconds for `Retry-After`. Default for 503 and 429: 1. */
  retryAfter?: number;
  /** The kind of fault in answers of SCIM. Default: the kind that belongs to the code. */
  scimType?: ScimType;
  /** More response headers, such as `Allow`. */
  headers?: Readonly<Record<string, string>>;
}

/** A failure that is sent to the client. Status and text come from the catalogue. Any other error is a fault of the service. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly fields: readonly FieldFault[];
  readonly retryAfter: number | undefined;
  readonly scimType: ScimType | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(catalogue[code].message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = catalogue[code].status;
    this.fields = options.fields ?? [];
    this.retryAfter = options.retryAfter ?? (this.status === 503 || this.status === 429 ? 1 : undefined);
    this.scimType = options.scimType;
    this.headers = options.headers ?? {};
  }
}

/** Returns the validation error for one field. */
export function invalidField(field: string, reason: string): AppError {
  return new AppError('validation_error', { fields: [{ field, reason }] });
}
