import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  createPinnedKeyFinder,
  exportAuditLog,
  readPeriodOfRun,
  readPinnedKeys,
  traceRun,
  verifyAuditLog,
  verifyAuditFile,
  type PublicSealKey,
  type AuditFindings,
  type RunTrace,
  type TracedRow,
} from '@millwright/audit';
import { compareSealCopies, type CopyFindings } from '@millwright/audit/seal-bucket';
import { sealBucketOf, type SealBucket } from '@millwright/audit/seal-bucket-config';
import { createIssuedKeyFinder, readIssuedKeys } from '@millwright/auth/signing-keys';
import type { Database } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { InvalidArgumentError, type Command } from 'commander';
import { CommandRefused } from '../command-refused.js';
import { fail, print } from '../output.js';
import { databaseFault } from '../database/database-fault.js';
import { wantsJson, type Terminal } from '../terminal.js';
import type { Run } from './run.js';

/** The service that seals the audit log. */
const ISSUER = 'admin-auth';

export function auditCommands(program: Command, run: Run, terminal: Terminal): void {
  const audit = program.command('audit').description('Export and verify the audit log');
  audit
    .command('export')
    .description('Print the audit log with its seals, one line of JSON each')
    .option('--from <time>', 'first time, ISO 8601', time)
    .option('--to <time>', 'end time, ISO 8601, not included', time)
    .action(
      run(async ({ db }, filter: { from?: Date; to?: Date }) => {
        const lines = exportAuditLog(db, { filter, keys: await readIssuedKeys(db, ISSUER) });
        await pipeline(Readable.from(lines), terminal.output, { end: false });
        return undefined;
      }),
    );

  const inDatabase = run(async ({ db, config }, { keys: file = config.AUDIT_PINNED_KEYS_FILE }: { keys?: string }) => {
    const pinned = file === undefined ? undefined : await readKeys(file);
    const findKey = pinned ? createPinnedKeyFinder(pinned) : createIssuedKeyFinder(db, ISSUER);
    const findings = await verifyAuditLog(db, findKey);
    const compared = await compareCopies(db, sealBucketOf(config));
    const faults = [...findings.faults, ...(compared?.faults ?? [])];
    report(terminal, { ...findings, ...compared, keys: pinned ? 'given' : 'database', faults });
    return undefined;
  });
  audit
    .command('verify')
    .description(
      'Find rows that were edited, deleted, swapped or cut, and seals that differ from their copies in the bucket. Exit code 1 if there are any.',
    )
    .argument('[file]', 'an export to check offline (default: the database)')
    .option(
      '--keys <file>',
      'trusted public keys: a JWK Set or the output of signing-keys list --json (default: AUDIT_PINNED_KEYS_FILE)',
    )
    .action(async (...received: [file: string | undefined, options: { keys?: string }, command: Command]) => {
      const [file, { keys }] = received;
      if (file === undefined) return inDatabase(...received);
      await verifyFile(terminal, file, keys);
    });
  traceCommand(audit, run, terminal);
}

/** Compares the seals with their copies in the bucket, if one is configured. @throws CommandRefused when the bucket cannot be read */
async function compareCopies(db: Database, bucket: SealBucket | undefined): Promise<CopyFindings | undefined> {
  if (!bucket) return undefined;
  return compareSealCopies(db, bucket).catch((cause: unknown) => {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    throw new CommandRefused(`The bucket ${bucket.bucket} with the copies of the seals cannot be read (${reason}).`, {
      ...{ kind: 'unreachable', code: 'seal_bucket', cause },
    });
  });
}

/** Adds `audit trace`. */
function traceCommand(audit: Command, run: Run, terminal: Terminal): void {
  const inDatabase = run(
    async ({ db, config }, { keys: file = config.AUDIT_PINNED_KEYS_FILE }: { keys?: string }, id) => {
      const keys = file === undefined ? await readIssuedKeys(db, ISSUER) : await readKeys(file);
      const filter = { run: id, ...(await readPeriodOfRun(db, id)) };
      showTrace(terminal, id, await traceRun(exportAuditLog(db, { filter, keys }), id, keys));
      return undefined;
    },
  );
  audit
    .command('trace')
    .description(
      'Print who did what in a run, with the seal that proves each row. Exit code 1 if one differs from its seal.',
    )
    .argument('<run>', 'id of the run: the claim txn of the tokens of its calls')
    .option('--file <file>', 'an export to read offline (default: the database)')
    .option('--keys <file>', 'trusted public keys, as of audit verify (default: AUDIT_PINNED_KEYS_FILE)')
    .action(async (id: string, options: { file?: string; keys?: string }, command: Command) => {
      if (options.file === undefined) return inDatabase(id, options, command);
      await printing(terminal, async () => {
        const keys = options.keys === undefined ? undefined : await readKeys(options.keys);
        showTrace(terminal, id, await traceRun(await linesOf(options.file ?? ''), id, keys));
      });
    });
}

/** Prints the rows of a run, one per line: time, user, agent with version, its actors, act, decision, approval and seal. */
function showTrace(terminal: Terminal, run: string, { rows, findings }: RunTrace): void {
  const { faults, keys, kids, end } = findings;
  if (wantsJson(terminal)) print(terminal, { run, rows, faults, keys, kids, end }, true);
  else for (const row of rows) terminal.output.write(`${traceLine(row)}\n`);
  const ofSeals = faults.filter(({ row }) => row === null);
  if (!wantsJson(terminal)) {
    const unproved = rows.filter(({ seal }) => seal === null).length;
    terminal.output.write(`${rows.length} rows, ${unproved} not sealed yet, keys: ${keys}\n`);
    for (const { seal, reason } of ofSeals) terminal.output.write(`seal ${seal ?? '?'}: ${reason}\n`);
  }
  if (faults.length > 0) terminal.exitCode = 1;
}

function traceLine({ row, seal, fault }: TracedRow): string {
  const detail = (typeof row.detail === 'object' ? row.detail : null) as Readonly<Record<string, unknown>> | null;
  const named = (name: string) => {
    const value = detail?.[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  };
  const agent = [named('agent'), named('agent_version')].filter((part) => part !== undefined).join('@');
  const actors: unknown = detail?.['actors'];
  const approval = named('approval');
  return [
    row.at,
    `user ${row.user_id}`,
    agent && `agent ${agent}`,
    Array.isArray(actors) && actors.length > 0 && `for ${actors.map(String).join(', for ')}`,
    `${row.actor_kind} ${row.actor_id}`,
    row.action,
    [row.resource, named('tool')].filter(Boolean).join(' '),
    row.decision,
    row.reason,
    approval && `approval ${approval}`,
    fault === null ? (seal === null ? 'not sealed yet' : `seal ${seal}`) : `FAULT: ${fault}`,
  ]
    .filter(Boolean)
    .join(' | ');
}

/** Prints the findings of a verification, one fault per line. */
function report(terminal: Terminal, findings: AuditFindings & { keys: string }): void {
  const asJson = wantsJson(terminal);
  const { faults, ...counts } = findings;
  print(terminal, asJson ? findings : { ...counts, faults: faults.length }, asJson);
  const lines = faults.map(({ kind, row, seal, reason }) => {
    const what = row === null ? (seal === null ? 'the file' : `seal ${seal}`) : `row ${row}`;
    return `${kind}: ${what}: ${reason}\n`;
  });
  if (!asJson) terminal.output.write(lines.join(''));
  if (faults.length > 0) terminal.exitCode = 1;
}

async function verifyFile(terminal: Terminal, file: string, keyFile: string | undefined): Promise<void> {
  await printing(terminal, async () => {
    const keys = keyFile === undefined ? undefined : await readKeys(keyFile);
    report(terminal, await verifyAuditFile(await linesOf(file), keys));
  });
}

/** Runs work that needs no database, and prints its failure. */
async function printing(terminal: Terminal, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    terminal.exitCode = fail(terminal, databaseFault(error));
  }
}

const linesOf = async (file: string) => createInterface({ input: await open(file), crlfDelay: Infinity });

/** @throws AppError not_found when the file cannot be opened */
async function open(path: string) {
  const stream = createReadStream(path);
  await new Promise((resolve, reject) => {
    stream.once('open', resolve);
    stream.once('error', (cause) =>
      reject(new AppError('not_found', { cause, fields: [{ field: path, reason: 'cannot be read' }] })),
    );
  });
  return stream;
}

async function readKeys(path: string): Promise<PublicSealKey[]> {
  try {
    return await readPinnedKeys(path);
  } catch {
    throw invalidField('--keys', 'must name a file with a JWK Set, or with the output of signing-keys list --json');
  }
}

function time(text: string): Date {
  const value = new Date(text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(value.getTime()))
    throw new InvalidArgumentError('must be a time such as 2026-03-01T00:00:00Z.');
  return value;
}
