import type { Command } from 'commander';
import { loadBuilderConfig, type BuilderConfig } from '../builder-config.js';
import { fail, print } from '../output.js';
import { databaseFault } from '../database/database-fault.js';
import { withCliSession, type CliSession } from '../session.js';
import { wantsJson, type Terminal } from '../terminal.js';

/** The work of a command. Returns the result to print, or `undefined` when the task has printed it. */
type Task<Options> = (
  session: CliSession,
  options: Options,
  argument: string,
  second?: string,
) => Promise<object | undefined>;

/** Converts a task to a commander action, which opens a session, prints the result and sets the exit code. */
export type Run = <Options extends object>(task: Task<Options>) => (...received: unknown[]) => Promise<void>;

/** commander passes the arguments, then the options, then the command itself. */
const commandOf = (received: unknown[]) => received.at(-1) as Command;

export function createRun(terminal: Terminal): Run {
  return <Options extends object>(task: Task<Options>) =>
    async (...received: unknown[]) => {
      const command = commandOf(received);
      const [argument = '', second] = received.slice(0, -2).filter((value) => typeof value === 'string');
      try {
        const result = await withCliSession(terminal, (session) => task(session, command.opts(), argument, second));
        if (result) print(terminal, result, wantsJson(terminal));
      } catch (error) {
        terminal.exitCode = fail(terminal, databaseFault(error));
      }
    };
}

/** Converts the task of a command that needs no database to a commander action. */
export type RunAnywhere = (
  task: (call: { config: BuilderConfig; terminal: Terminal }, options: never) => Promise<object>,
) => (...received: unknown[]) => Promise<void>;

export function createRunAnywhere(terminal: Terminal): RunAnywhere {
  return (task) =>
    async (...received: unknown[]) => {
      try {
        const config = loadBuilderConfig(terminal.env);
        print(terminal, await task({ config, terminal }, commandOf(received).opts<never>()), wantsJson(terminal));
      } catch (error) {
        terminal.exitCode = fail(terminal, databaseFault(error));
      }
    };
}

export function commaList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
