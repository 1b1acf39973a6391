/** Exit codes of the program, as described in docs/cli.md. Faulty settings lead to another exit code, 78 of ConfigError. */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  notLoggedIn: 3,
  unreachable: 4,
  waiting: 5,
  settings: 78,
} as const;

export type RefusalCode = 'refused' | 'usage' | 'not_logged_in' | 'unreachable' | 'waiting';

const EXIT_OF: Readonly<Record<RefusalCode, number>> = {
  refused: EXIT.refused,
  usage: EXIT.usage,
  not_logged_in: EXIT.notLoggedIn,
  unreachable: EXIT.unreachable,
  waiting: EXIT.waiting,
};

/** A command that cannot be done. The message is one sentence with the next step. */
export class CommandRefused extends Error {
  override readonly name: string = 'CommandRefused';
  readonly exitCode: number;
  /** Code of the error for scripts, printed with `--json`. */
  readonly code: string;
  /** Further fields of the error in the output of `--json`. */
  readonly detail: object;

  constructor(
    message: string,
    { kind = 'refused', code = kind, detail = {}, cause }: RefusalOptions & { cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.exitCode = EXIT_OF[kind];
    this.code = code;
    this.detail = detail;
  }
}

interface RefusalOptions {
  kind?: RefusalCode;
  code?: string;
  detail?: object;
}
