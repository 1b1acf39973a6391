import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  createPinnedKeyFinder,
  exportAuditLog,
  readPinnedKeys,
  verifyAuditLog,
  verifyAuditFile,
  type PublicSealKey,
  type AuditFindings,
} from '@millwright/audit';
import { createIssuedKeyFinder, readIssuedKeys } from '@millwright/auth/signing-keys';
import { AppError, invalidField } from '@millwright/errors';
import { InvalidArgumentError, type Command } from 'commander';
import { fail, print } from '../output.js';
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
    report(terminal, { ...(await verifyAuditLog(db, findKey)), keys: pinned ? 'given' : 'database' });
    return undefined;
  });
  audit
    .command('verify')
    .description('Find rows that were edited, deleted, swapped or cut. Exit code 1 if there are any.')
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
}

/** Prints the findings, one fault a line. */
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
  try {
    const keys = keyFile === undefined ? undefined : await readKeys(keyFile);
    const lines = createInterface({ input: await open(file), crlfDelay: Infinity });
    report(terminal, await verifyAuditFile(lines, keys));
  } catch (error) {
    terminal.exitCode = fail(terminal, error);
  }
}

/** @throws AppError not_found */
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
