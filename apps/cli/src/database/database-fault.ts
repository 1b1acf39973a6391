import { databaseFailure } from '@millwright/db';
import { MigrationMismatch } from '@millwright/db/migrations';
import { AppError } from '@millwright/errors';
import { CommandRefused } from '../command-refused.js';

/** Sentences for faults that an operator can correct, by Prisma's code or by SQLSTATE. */
const INSTALLATION: Readonly<Record<string, string>> = {
  P1000: 'The database refuses the user or the password of DATABASE_URL.',
  '28P01': 'The database refuses the user or the password of DATABASE_URL.',
  '28000': 'The database refuses the user or the password of DATABASE_URL.',
  P1003: 'The database that DATABASE_URL names does not exist.',
  '3D000': 'The database that DATABASE_URL names does not exist.',
  P2021: 'The database schema is out of date. Run: millwright admin db migrate',
  P2022: 'The database schema is out of date. Run: millwright admin db migrate',
};

/**
 * Converts the error of a command that uses the database to a CommandRefused with a message for the operator. An error for which there is
 * no message stays another error.
 */
export function databaseFault(error: unknown): unknown {
  if (error instanceof CommandRefused) return error;
  if (error instanceof MigrationMismatch) return new CommandRefused(`${error.message}.`, { cause: error });
  const { code } = error as { code?: unknown };
  const sentence = typeof code === 'string' ? INSTALLATION[code] : undefined;
  if (sentence !== undefined) return new CommandRefused(sentence, { code: 'installation', cause: error });
  const failure = databaseFailure(error);
  return failure instanceof AppError && failure.status === 503
    ? new CommandRefused('The database does not answer.', { kind: 'unreachable', cause: error })
    : failure;
}
