import { ConfigError } from '@millwright/config';
import { AppError } from '@millwright/errors';
import { CommandRefused } from '../command-refused.js';
import { databaseFault } from '../database/database-fault.js';
import type { CliSession } from '../session.js';

/** `skipped`: settings that the check needs are missing. */
export type CheckState = 'ok' | 'warning' | 'failed' | 'skipped';

export interface Finding {
  state: CheckState;
  finding: string;
  /** What the operator should do next. */
  next?: string;
}

export interface Check {
  name: string;
  run: (session: CliSession) => Promise<Finding[]>;
  /** What the operator should do next when the check itself throws an error. */
  next: string;
}

export type Checked = { check: string; state: CheckState; finding: string; next: string | null };

export const ok = (finding: string): Finding => ({ state: 'ok', finding });
export const warning = (finding: string, next: string): Finding => ({ state: 'warning', finding, next });
export const failed = (finding: string, next: string): Finding => ({ state: 'failed', finding, next });
export const skipped = (setting: string): Finding => ({ state: 'skipped', finding: `${setting} is not set here` });

/** Runs one check. An error that it throws is reported as a finding, so that the other checks still run. */
export async function runCheck(session: CliSession, { name, run, next }: Check): Promise<Checked[]> {
  const findings = await run(session).catch((error: unknown) => [failed(reasonOf(databaseFault(error)), next)]);
  return findings.map(({ state, finding, next: todo }) => ({ check: name, state, finding, next: todo ?? null }));
}

function reasonOf(error: unknown): string {
  if (error instanceof AppError) return [error.message, ...error.fields.map(({ reason }) => reason)].join(' ');
  if (error instanceof CommandRefused || error instanceof ConfigError) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message.split('\n').at(-1) ?? ''}` : String(error);
}
