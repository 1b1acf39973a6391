import type { Command } from 'commander';
import { loadBridgeConfig, type BridgeConfig } from '../config.js';
import { fail, print } from '../output.js';
import { withCliSession, type CliSession } from '../session.js';

/** A command's work, with its options and arguments. `undefined`: it has printed its result itself. */
type Task<Options> = (
  session: CliSession,
  options: Options,
  argument: string,
  second?: string,
) => Promise<object | undefined>;

/** Turns a task into a commander action: opens a session, prints the result, sets the exit code. */
export type Run = <Options extends object>(task: Task<Options>) => (...received: unknown[]) => Promise<void>;

/** commander passes the arguments, then the options, then the command itself. */
const commandOf = (received: unknown[]) => received.at(-1) as Command;

export function createRun(env: NodeJS.ProcessEnv, asJson: () => boolean): Run {
  return <Options extends object>(task: Task<Options>) =>
    async (...received: unknown[]) => {
      const command = commandOf(received);
      const [argument = '', second] = received.slice(0, -2).filter((value) => typeof value === 'string');
      try {
        const result = await withCliSession(env, (session) => task(session, command.opts(), argument, second));
        if (result) print(result, asJson());
      } catch (error) {
        process.exitCode = fail(error);
      }
    };
}

/** Turns the task of a command that needs no database into a commander action. */
export type RunAnywhere = (
  task: (config: BridgeConfig, options: never) => Promise<object>,
) => (...received: unknown[]) => Promise<void>;

export function createRunAnywhere(env: NodeJS.ProcessEnv, asJson: () => boolean): RunAnywhere {
  return (task) =>
    async (...received: unknown[]) => {
      try {
        print(await task(loadBridgeConfig(env), commandOf(received).opts<never>()), asJson());
      } catch (error) {
        process.exitCode = fail(error);
      }
    };
}

export function commaList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
