import type { Command } from 'commander';
import { auditCommands } from './commands/audit.js';
import { clientCommands } from './commands/clients.js';
import { databaseCommands } from './commands/database.js';
import { keyFileCommands } from './commands/key-files.js';
import { keyCommands } from './commands/keys.js';
import { backupCommands } from './commands/backup.js';
import { bridgeCommands } from './commands/bridge.js';
import { deviceCodeCommands } from './commands/device-codes.js';
import { doctorCommand } from './commands/doctor.js';
import { identityCommands } from './commands/identities.js';
import { passkeyCommands } from './commands/passkeys.js';
import { projectCommands } from './commands/projects.js';
import { quotaCommands } from './commands/quotas.js';
import { createRun, createRunAnywhere } from './commands/run.js';
import { secretCommands } from './commands/secrets.js';
import { sessionCommands } from './commands/sessions.js';
import { setupTokenCommands } from './commands/setup-tokens.js';
import { signingKeyCommands } from './commands/signing-keys.js';
import { userCommands } from './commands/users.js';
import { OPERATOR_EXAMPLES } from './operator-examples.js';
import { acceptAnywhere, addExamples, createRootCommand, jsonOption } from './root-command.js';
import type { Terminal } from './terminal.js';

/**
 * Creates the program `millwright admin`, the command line for operators. All its commands except `bridge` and `key-files` need access to
 * the database.
 */
export function createOperatorProgram(terminal: Terminal): Command {
  const program = createRootCommand(terminal, 'millwright admin').description(
    'Operate a Millwright installation. The commands use the database that DATABASE_URL names.',
  );
  const run = createRun(terminal);
  const groups = [
    userCommands,
    setupTokenCommands,
    deviceCodeCommands,
    sessionCommands,
    passkeyCommands,
    identityCommands,
    keyCommands,
    clientCommands,
    signingKeyCommands,
    auditCommands,
    databaseCommands,
    projectCommands,
    quotaCommands,
    secretCommands,
    doctorCommand,
    backupCommands,
  ];
  for (const add of groups) add(program, run, terminal);
  bridgeCommands(program, createRunAnywhere(terminal));
  keyFileCommands(program, createRunAnywhere(terminal));
  acceptAnywhere(program, jsonOption);
  addExamples(program, OPERATOR_EXAMPLES);
  return program;
}
