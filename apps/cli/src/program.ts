import { CommanderError, type Command } from 'commander';
import { createBuilderProgram } from './builders/builder-program.js';
import { EXIT } from './command-refused.js';
import { OPERATOR_GROUPS } from './operator-groups.js';
import { printError } from './output.js';
import { wantsJson, type Terminal } from './terminal.js';

/** Runs `millwright` with the terminal's arguments and sets its exit code. */
export async function runProgram(terminal: Terminal): Promise<void> {
  try {
    const { program, args } = await programOf(terminal);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // The parser's exit code is 0 for help and version; every other error of the parser is a usage error.
    terminal.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (terminal.exitCode !== EXIT.done && wantsJson(terminal))
      printError(terminal, { code: 'usage', message: error.message.replace(/^error: /, '') });
  }
}

/**
 * Chooses the program that runs a command. Commands `admin …`, and the operators' groups without the word `admin`, are run by the
 * operators' program. All other commands are run by the builders' program.
 */
async function programOf(terminal: Terminal): Promise<{ program: Command; args: readonly string[] }> {
  const { args } = terminal;
  const at = args.findIndex((arg, index) => !arg.startsWith('-') && args[index - 1] !== '--profile');
  const word = args[at];
  const isAdmin = word === 'admin';
  if (!isAdmin && !OPERATOR_GROUPS.some((group) => group === word))
    return { program: createBuilderProgram(terminal), args };
  const { createOperatorProgram } = await import('./operator-program.js');
  return { program: createOperatorProgram(terminal), args: isAdmin ? args.toSpliced(at, 1) : args };
}
