import { ConfigError } from '@millwright/config';
import { AppError } from '@millwright/errors';
import { CommandRefused, EXIT } from './command-refused.js';
import { Listing, printable, readable } from './readable.js';
import { wantsJson, type Terminal } from './terminal.js';

/** A result whose text another program reads, such as a manifest for `kubectl apply -f -`. */
export class Manifest {
  readonly value: object;
  readonly text: string;
  /** Note for the user, printed on standard error, because standard output must contain only the text. */
  readonly note: string;

  constructor(value: object, text: string, note: string) {
    this.value = value;
    this.text = text;
    this.note = note;
  }
}

/** Prints one object or array as JSON with `--json`, else in a readable form. */
export function print(terminal: Terminal, result: object, asJson: boolean): void {
  const { output, errors } = terminal;
  if (result instanceof Manifest && !asJson) {
    errors.write(`${result.note}\n`);
    output.write(result.text);
    return;
  }
  const value = result instanceof Manifest || result instanceof Listing ? result.value : result;
  output.write(asJson ? `${printable(JSON.stringify(value))}\n` : readable(result, columnsOf(terminal)));
}

const columnsOf = ({ output }: Terminal): number =>
  'columns' in output && typeof output.columns === 'number' ? output.columns : Infinity;

/** An error with `--json`: one object on standard error. */
export interface PrintedError {
  /** Machine-readable error code. */
  code: string;
  message: string;
}

/** Prints an error on standard error: as JSON with `--json`, else as text. */
export function printError(terminal: Terminal, error: PrintedError, text: string = error.message): void {
  terminal.errors.write(wantsJson(terminal) ? `${printable(JSON.stringify({ error }))}\n` : `${text}\n`);
}

/** Prints the failure on standard error and returns the exit code. */
export function fail(terminal: Terminal, error: unknown): number {
  if (error instanceof ConfigError) {
    printError(terminal, { code: 'settings', message: error.message });
    return EXIT.settings;
  }
  if (error instanceof CommandRefused) {
    printError(terminal, { code: error.code, message: error.message, ...error.detail });
    return error.exitCode;
  }
  if (error instanceof AppError) {
    const faults = error.fields.map(({ field, reason }) => `\n  ${field}: ${reason}`).join('');
    const detail = error.fields.length > 0 && { fields: error.fields };
    printError(terminal, { code: error.code, message: error.message, ...detail }, `${error.message}${faults}`);
    return EXIT.refused;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  printError(terminal, { code: 'internal_error', message: text });
  return EXIT.refused;
}
