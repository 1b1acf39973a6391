import { parsePart, singleValues } from '@millwright/http';
import type { Request } from 'express';
import type { z } from 'zod';

/** Parses the query of an endpoint without a contract. @throws AppError validation_error with the names of invalid parameters. */
export function parseQuery<Schema extends z.ZodObject>(
  schema: Schema,
  { query }: Pick<Request, 'query'>,
): z.output<Schema> {
  return parsePart(schema, singleValues(query), 'query');
}
