import { AppError } from '@millwright/errors';
import type { Request } from 'express';
import type { z } from 'zod';

/** The query of an endpoint without a contract. @throws AppError validation_error naming the parameters at fault. */
export function parseQuery<Schema extends z.ZodType>(
  schema: Schema,
  { query }: Pick<Request, 'query'>,
): z.output<Schema> {
  const result = schema.safeParse(query);
  if (result.success) return result.data;
  const fields = result.error.issues.map(({ path, message }) => ({
    field: `query.${path.join('.')}`,
    reason: message,
  }));
  throw new AppError('validation_error', { fields });
}
