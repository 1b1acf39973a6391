import type { Command } from 'commander';
import { OPERATOR_GROUPS } from '../operator-groups.js';
import { acceptAnywhere, addExamples, createRootCommand, jsonOption } from '../root-command.js';
import type { Terminal } from '../terminal.js';
import { agentCommands } from './agents.js';
import { createRunBuilder } from './builder.js';
import { BUILDER_EXAMPLES } from './builder-examples.js';
import { completionCommand } from './completion.js';
import { fileCommands } from './files.js';
import { installationCommands } from './installation.js';
import { loginCommands } from './login.js';
import { mcpCommands } from './mcp.js';
import { openCommand } from './open.js';
import { promptCommands } from './prompts.js';
import { runCommands } from './runs.js';
import { skillCommands } from './skills.js';

/** Groups of commands in the order of the help. */
const GROUPS = [
  loginCommands,
  agentCommands,
  runCommands,
  promptCommands,
  skillCommands,
  mcpCommands,
  fileCommands,
  installationCommands,
  openCommand,
  completionCommand,
];

const profileOption = (command: Command): void =>
  void command.option('--profile <name>', 'login to use (default: the last one)');

/** Creates the program `millwright`, with which builders work on an installation. It uses only the APIs, and never the database. */
export function createBuilderProgram(terminal: Terminal): Command {
  const program = createRootCommand(terminal, 'millwright').description('Build with a Millwright installation');
  profileOption(program);
  const run = createRunBuilder(terminal);
  for (const add of GROUPS) add(program, run);
  acceptAnywhere(program, (command) => {
    jsonOption(command);
    profileOption(command);
  });
  addExamples(program, BUILDER_EXAMPLES);
  // These commands are declared for the help only: `runProgram` runs them with the operators' program.
  program
    .command('admin')
    .description('Operate the installation: users, keys, database, audit log (needs DATABASE_URL)');
  program.command('doctor').description('Check the installation (needs DATABASE_URL)');
  for (const group of OPERATOR_GROUPS) if (group !== 'doctor') program.command(group, { hidden: true });
  program.addHelpText(
    'after',
    '\nStart:\n  millwright login --url https://millwright.example.com\n  millwright agents list\n\nExit codes: 0 done, 1 refused or failed, 2 wrong call, 3 not logged in, 4 no answer, 5 the run waits for a person, 78 wrong setting',
  );
  return program;
}
