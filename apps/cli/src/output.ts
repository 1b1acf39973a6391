import { ConfigError } from '@millwright/config';
import { databaseFailure, MigrationMismatch } from '@millwright/db';
import { AppError } from '@millwright/errors';

/** Exit codes that scripts can use; 78 (configuration) is carried by ConfigError, 2 (usage) by commander. */
const REFUSED = 1;

/** What a command does not do, in a sentence. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** With `--json` one object or array; else a readable form of the same. */
export function print(value: object, asJson: boolean): void {
  process.stdout.write(asJson ? `${JSON.stringify(value)}\n` : readable(value));
}

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
  if (Array.isArray(value)) return value.join(', ');
  if (value === null || value === undefined) return '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Says what went wrong on standard error and gives the exit code. */
export function fail(error: unknown): number {
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\n`);
    return error.exitCode;
  }
  if (error instanceof Refusal) {
    process.stderr.write(`${error.message}\n`);
    return REFUSED;
  }
  const ofInstallation = installationFault(error);
  if (ofInstallation !== undefined) {
    process.stderr.write(`${ofInstallation}\n`);
    return REFUSED;
  }
  const failure = databaseFailure(error);
  if (failure instanceof AppError) {
    const faults = failure.fields.map(({ field, reason }) => `\n  ${field}: ${reason}`).join('');
    const text = failure.status === 503 ? 'The database does not answer.' : failure.message;
    process.stderr.write(`${text}${faults}\n`);
    return REFUSED;
  }
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return REFUSED;
}

/** What an operator can mend, by Prisma's code or the SQLSTATE. */
const INSTALLATION: Readonly<Record<string, string>> = {
  P1000: 'The database refuses the user or the password of DATABASE_URL.',
  '28P01': 'The database refuses the user or the password of DATABASE_URL.',
  '28000': 'The database refuses the user or the password of DATABASE_URL.',
  P1003: 'The database that DATABASE_URL names does not exist.',
  '3D000': 'The database that DATABASE_URL names does not exist.',
  P2021: 'The database has not the newest schema: run db migrate.',
  P2022: 'The database has not the newest schema: run db migrate.',
};

function installationFault(error: unknown): string | undefined {
  if (error instanceof MigrationMismatch) return `${error.message}.`;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? INSTALLATION[code] : undefined;
}
