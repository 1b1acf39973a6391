import { AppError } from '@millwright/errors';
import { SchemaValidatorBusy } from '@millwright/schemas';

/** More checks wait than can be done in time. @throws AppError unavailable */
export function unavailableWhenBusy(error: unknown): never {
  throw error instanceof SchemaValidatorBusy ? new AppError('unavailable', { cause: error }) : error;
}
