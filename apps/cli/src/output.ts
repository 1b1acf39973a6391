import { ConfigError } from '@millwright/config';
import { databaseFailure } from '@millwright/db';
import { MigrationMismatch } from '@millwright/db/migrations';
import { AppError } from '@millwright/errors';
import type { Terminal } from './terminal.js';

/** Exit codes that scripts can use; 78 (configuration) is carried by ConfigError, 2 (usage) by commander. */
const REFUSED = 1;

/** A command cannot be done: its message is one sentence with the next step. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}

/** A result whose text another program reads, such as a manifest for `kubectl apply -f -`. */
export class Manifest {
  readonly value: object;
  readonly text: string;
  /** Printed on standard error, so that the text is alone on standard output. */
  readonly note: string;

  constructor(value: object, text: string, note: string) {
    this.value = value;
    this.text = text;
    this.note = note;
  }
}

/** Prints one object or array as JSON with `--json`, else in a readable form. */
export function print({ output, errors }: Terminal, result: object, asJson: boolean): void {
  if (result instanceof Manifest && !asJson) {
    errors.write(`${result.note}\n`);
    output.write(result.text);
    return;
  }
  const value = result instanceof Manifest ? result.value : result;
  output.write(asJson ? `${printable(JSON.stringify(value))}\n` : readable(value));
}

/**
 * A text for a terminal: control and format characters, which could move the cursor, hide or reorder text, are shown as JSON writes
 * them. JSON stays the same value.
 */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) =>
    [...Array(char.length).keys()].map((at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );

function readable(value: object): string {
  if (!Array.isArray(value)) return lines(value);
  return value.length === 0 ? 'none\n' : value.map((item: object) => lines(item)).join('\n');
}

function lines(record: object): string {
  const entries = Object.entries(record);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${show(value)}\n`).join('');
}

function show(value: unknown): string {
  if (Array.isArray(value)) return printable(value.join(', '));
  if (value === null || value === undefined) return '-';
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Prints the failure on standard error and returns the exit code. */
export function fail({ errors }: Terminal, error: unknown): number {
  if (error instanceof ConfigError) {
    errors.write(`${error.message}\n`);
    return error.exitCode;
  }
  if (error instanceof CommandRefused) {
    errors.write(`${error.message}\n`);
    return REFUSED;
  }
  const message = installationFault(error);
  if (message !== undefined) {
    errors.write(`${message}\n`);
    return REFUSED;
  }
  const failure = databaseFailure(error);
  if (failure instanceof AppError) {
    const faults = failure.fields.map(({ field, reason }) => `\n  ${field}: ${reason}`).join('');
    const text = failure.status === 503 ? 'The database does not answer.' : failure.message;
    errors.write(`${text}${faults}\n`);
    return REFUSED;
  }
  errors.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return REFUSED;
}

/** Faults that an operator can correct, by Prisma's code or the SQLSTATE. */
const INSTALLATION: Readonly<Record<string, string>> = {
  P1000: 'The database refuses the user or the password of DATABASE_URL.',
  '28P01': 'The database refuses the user or the password of DATABASE_URL.',
  '28000': 'The database refuses the user or the password of DATABASE_URL.',
  P1003: 'The database that DATABASE_URL names does not exist.',
  '3D000': 'The database that DATABASE_URL names does not exist.',
  P2021: 'The database schema is out of date. Run: db migrate',
  P2022: 'The database schema is out of date. Run: db migrate',
};

function installationFault(error: unknown): string | undefined {
  if (error instanceof MigrationMismatch) return `${error.message}.`;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? INSTALLATION[code] : undefined;
}
