import { AppError } from '@millwright/errors';
import type { ErrorRequestHandler, Response } from 'express';

/** The details of errors with status 400 and 409 (RFC 7644 §3.12). */
export type ScimType = 'invalidFilter' | 'uniqueness' | 'invalidSyntax' | 'invalidPath' | 'invalidValue' | 'mutability';

/** A refusal in SCIM's form. `detail` is a constant text for the client's administrator. */
export class ScimError extends Error {
  readonly status: 400 | 403 | 404 | 409;
  readonly detail: string;
  readonly scimType?: ScimType;

  constructor(status: 400 | 403 | 404 | 409, detail: string, scimType?: ScimType) {
    super(detail);
    this.status = status;
    this.detail = detail;
    this.scimType = scimType;
    this.name = 'ScimError';
  }
}

export const invalid = (detail: string, scimType: ScimType = 'invalidValue') => new ScimError(400, detail, scimType);
export const notFound = () => new ScimError(404, 'The resource does not exist.');

interface Refusal {
  status: number;
  detail: string;
  scimType?: ScimType | undefined;
}

function send(response: Response, { status, detail, scimType }: Refusal): void {
  response
    .status(status)
    .type('application/scim+json')
    .send(
      JSON.stringify({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: String(status),
        ...(scimType && { scimType }),
        detail,
      }),
    );
}

/** Status and type of a failure that the body's reader or another part reports with a status. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('status' in error)) return undefined;
  return typeof error.status === 'number' && error.status < 500 ? error.status : undefined;
}

const TYPES: Readonly<Record<string, ScimType>> = { validation_error: 'invalidValue', conflict: 'uniqueness' };

/** The parts of the answer to a failure; `undefined` for a fault of the service. */
function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof ScimError) return error;
  if (error instanceof AppError) return error.status < 500 ? fromAppError(error) : undefined;
  const status = statusOf(error);
  if (status === undefined) return undefined;
  const detail = status === 413 ? 'The body has more than 64 KiB.' : 'The body cannot be read.';
  return { status, detail, ...(status === 400 && { scimType: 'invalidSyntax' }) };
}

function fromAppError({ code, status, message, fields }: AppError): Refusal {
  const detail = [message, ...fields.map(({ field, reason }) => `${field} ${reason}`)].join(' ');
  const scimType = TYPES[code];
  return { status: status === 422 ? 400 : status, detail, ...(scimType && { scimType }) };
}

/** Answers failures in SCIM's form; faults of the service go to its own renderer, which logs them. */
export const sendScimError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const refusal = refusalOf(error);
  if (response.headersSent || !refusal) {
    next(error);
    return;
  }
  if (error instanceof AppError) {
    response.set(error.headers);
    if (error.retryAfter !== undefined) response.set('Retry-After', String(error.retryAfter));
  }
  send(response, refusal);
};
