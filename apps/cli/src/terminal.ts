/** The environment, arguments, inputs and outputs of a command, but not its database. The process or a test provides them. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  /** The arguments after the program's name. */
  readonly args: readonly string[];
  readonly input: NodeJS.ReadableStream & { isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
  readonly errors: NodeJS.WritableStream;
  /** Exit code of the process when the command has ended. */
  exitCode: number;
}

/** Whether the output is to be JSON: the flag may come before or after the subcommand. */
export const wantsJson = ({ args }: Terminal): boolean => args.includes('--json');
