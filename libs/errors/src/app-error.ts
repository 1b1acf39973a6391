import { catalogue, type ErrorCode } from './catalogue.js';

/** One thing wrong with one part of a request. `field` is a dotted path (`parameters.tone.default`, `query.page`, `body`). */
export interface FieldFault {
  field: string;
  reason: string;
}

export interface AppErrorOptions {
  /** What made it happen: logged, never sent. */
  cause?: unknown;
  /** Which fields are at fault: sent, in the order found. */
  fields?: readonly FieldFault[];
  /** Seconds for `Retry-After`; 503 and 429 send 1 when it is left out. */
  retryAfter?: number;
  /** More response headers, such as `Allow`. */
  headers?: Readonly<Record<string, string>>;
}

/** A failure the caller is told about. Status and text come from the catalogue; anything else thrown is a fault of ours. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly fields: readonly FieldFault[];
  readonly retryAfter: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(catalogue[code].message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = catalogue[code].status;
    this.fields = options.fields ?? [];
    this.retryAfter = options.retryAfter ?? (this.status === 503 || this.status === 429 ? 1 : undefined);
    this.headers = options.headers ?? {};
  }
}

/** The validation error for one field. */
export function invalidField(field: string, reason: string): AppError {
  return new AppError('validation_error', { fields: [{ field, reason }] });
}
