import type { Command } from 'commander';
import { loadBridgeConfig, type BridgeConfig } from '../config.js';
import { fail, print } from '../output.js';
import { withSession, type Session } from '../session.js';

/** What a command does, given its options and its arguments where it has some. `undefined`: it has printed all there is. */
type Task<Options> = (
  session: Session,
  options: Options,
  argument: string,
  second?: string,
) => Promise<object | undefined>;

/** Makes a commander action of a task: opens a session, prints the result, sets the exit code. */
export type Run = <Options extends object>(task: Task<Options>) => (...received: unknown[]) => Promise<void>;

export function createRun(env: NodeJS.ProcessEnv, asJson: () => boolean): Run {
  return <Options extends object>(task: Task<Options>) =>
    async (...received: unknown[]) => {
      // commander hands over the arguments, then the options, then the command itself
      const command = received.at(-1) as Command;
      const [argument = '', second] = received.slice(0, -2).filter((value) => typeof value === 'string');
      try {
        const result = await withSession(env, (session) => task(session, command.opts(), argument, second));
        if (result) print(result, asJson());
      } catch (error) {
        process.exitCode = fail(error);
      }
    };
}

/** The same for commands that need no database. */
export type RunAnywhere = (
  task: (config: BridgeConfig, options: never) => Promise<object>,
) => (...received: unknown[]) => Promise<void>;

export function createRunAnywhere(env: NodeJS.ProcessEnv, asJson: () => boolean): RunAnywhere {
  return (task) =>
    async (...received: unknown[]) => {
      try {
        print(await task(loadBridgeConfig(env), (received.at(-1) as Command).opts<never>()), asJson());
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
