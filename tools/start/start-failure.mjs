// @ts-check

/** Why the platform cannot start, in words for whoever started it; no stack is shown. */
export class StartFailure extends Error {
  /** @param {string} message @param {number} [exitCode] */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
