// @ts-check

/** Reason why the installation cannot start, in plain words and without a stack. */
export class StartFailure extends Error {
  /** @param {string} message @param {number} [exitCode] */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
