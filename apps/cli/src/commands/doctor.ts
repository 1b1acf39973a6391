import type { Command } from 'commander';
import { EXIT } from '../command-refused.js';
import { runCheck, type Checked } from '../doctor/check.js';
import { databaseChecks } from '../doctor/database-checks.js';
import { keyChecks } from '../doctor/key-checks.js';
import { serviceChecks } from '../doctor/service-checks.js';
import { storageChecks } from '../doctor/storage-checks.js';
import { Listing } from '../readable.js';
import type { Terminal } from '../terminal.js';
import type { Run } from './run.js';

const CHECKS = [...databaseChecks, ...keyChecks, ...serviceChecks, ...storageChecks];

export function doctorCommand(program: Command, run: Run, terminal: Terminal): void {
  program
    .command('doctor')
    .description('Check the installation: database, schema, keys, secrets, clocks, services, limits, storage')
    .addHelpText(
      'after',
      '\nIt uses the settings of the services; a check whose setting is not here is skipped. Exit code 1 if a check fails.',
    )
    .action(
      run(async (session) => {
        const checks: Checked[] = [];
        // Runs the checks one after the other, because they share two connections.
        for (const check of CHECKS) checks.push(...(await runCheck(session, check)));
        const isOk = checks.every(({ state }) => state !== 'failed');
        if (!isOk) terminal.exitCode = EXIT.refused;
        return new Listing({ ok: isOk, checks }, checks);
      }),
    );
}
