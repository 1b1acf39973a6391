import { AppError } from '@millwright/errors';
import express, { type Request, type RequestHandler } from 'express';
import type { z } from 'zod';

/** Reads a protocol endpoint's JSON. */
export const readJson: RequestHandler = express.json({ limit: 65_536, strict: true });

/** @throws AppError unsupported_media_type, validation_error naming the fields at fault. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, request: Request): z.output<Schema> {
  if (!request.is('application/json')) throw new AppError('unsupported_media_type');
  const result = schema.safeParse(request.body);
  if (result.success) return result.data;
  const fields = result.error.issues
    .slice(0, 20)
    .map(({ path, message }) => ({ field: path.join('.') || 'body', reason: message }));
  throw new AppError('validation_error', { fields });
}
