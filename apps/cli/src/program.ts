import { Command, CommanderError } from 'commander';
import { auditCommands } from './commands/audit.js';
import { clientCommands } from './commands/clients.js';
import { databaseCommands } from './commands/database.js';
import { keyCommands } from './commands/keys.js';
import { bridgeCommands } from './commands/bridge.js';
import { deviceCodeCommands } from './commands/device-codes.js';
import { identityCommands } from './commands/identities.js';
import { passkeyCommands } from './commands/passkeys.js';
import { quotaCommands } from './commands/quotas.js';
import { createRun, createRunAnywhere } from './commands/run.js';
import { secretCommands } from './commands/secrets.js';
import { sessionCommands } from './commands/sessions.js';
import { setupTokenCommands } from './commands/setup-tokens.js';
import { signingKeyCommands } from './commands/signing-keys.js';
import { userCommands } from './commands/users.js';
import type { Terminal } from './terminal.js';

/** Runs `millwright` with the terminal's arguments and sets its exit code. */
export async function runProgram(terminal: Terminal): Promise<void> {
  try {
    await createProgram(terminal).parseAsync(terminal.args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // 0 for help and version; any other error of the parser is a usage error
    terminal.exitCode = error.exitCode === 0 ? 0 : 2;
  }
}

/** `millwright`: the operators' command line. All commands but `bridge` need access to the database. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('millwright')
    .description('Operate a Millwright installation')
    .option('--json', 'print one JSON object or array', false)
    .configureOutput({
      writeOut: (text) => void terminal.output.write(text),
      writeErr: (text) => void terminal.errors.write(text),
    })
    .exitOverride();
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
    quotaCommands,
    secretCommands,
  ];
  for (const add of groups) add(program, run, terminal);
  bridgeCommands(program, createRunAnywhere(terminal));
  acceptJsonAnywhere(program);
  return program;
}

/** Accepts `--json` after the subcommand too. */
function acceptJsonAnywhere(command: Command): void {
  for (const sub of command.commands) {
    if (sub.commands.length === 0) sub.option('--json', 'print one JSON object or array', false);
    acceptJsonAnywhere(sub);
  }
}
