import { Command } from 'commander';
import { wantsJson, type Terminal } from './terminal.js';
import { cliVersion } from './version.js';

/** Creates a program with the settings that all commands share. `runProgram` prints the parser's errors. */
export function createRootCommand(terminal: Terminal, name: string): Command {
  const program = new Command(name);
  jsonOption(program);
  return program
    .version(cliVersion, '-V, --version', 'print the version')
    .configureOutput({
      writeOut: (text) => void terminal.output.write(text),
      writeErr: (text) => void (wantsJson(terminal) ? undefined : terminal.errors.write(text)),
    })
    .exitOverride();
}

/** Adds options of the program to all its subcommands, so that the options may also follow the subcommand. */
export function acceptAnywhere(program: Command, add: (command: Command) => void): void {
  for (const command of leavesOf(program)) add(command);
}

export const jsonOption = (command: Command): void =>
  void command.option('--json', 'print one JSON object or array; errors too', false);

/** Returns the full name of a command: its groups and its own name, without the name of the program, such as `keys create`. */
export const nameOf = (command: Command): string =>
  command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

/** Returns all commands that have no subcommands. A command with subcommands only groups these and does nothing else. */
export const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);

/** Adds the examples to the help of each command. */
export function addExamples(program: Command, examples: Readonly<Record<string, readonly string[]>>): void {
  for (const command of leavesOf(program)) {
    const lines = examples[nameOf(command)] ?? [];
    if (lines.length > 0)
      command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  millwright ${line}`).join('\n')}`);
  }
}
