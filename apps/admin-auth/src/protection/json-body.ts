import { AppError } from '@millwright/errors';
import { hasBody, parseFields } from '@millwright/http';
import express, { type Request, type RequestHandler } from 'express';
import type { z } from 'zod';

/** Parses the JSON body of a request to a protocol endpoint. */
export const readJson: RequestHandler = express.json({ limit: 65_536, strict: true });

/**
 * Returns the body of a request, checked by the schema.
 * @throws AppError unsupported_media_type when the body is not JSON, bad_request when it is missing or not an object, validation_error with
 * the names of invalid fields.
 */
export function parseBody<Schema extends z.ZodObject>(schema: Schema, request: Request): z.output<Schema> {
  const body: unknown = request.body;
  if (!hasBody(request)) throw new AppError('bad_request');
  if (!request.is('application/json')) throw new AppError('unsupported_media_type');
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new AppError('bad_request');
  return parseFields(schema, body);
}
