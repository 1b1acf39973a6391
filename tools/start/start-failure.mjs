// @ts-check

/** Thrown to end `npm start` with a message for the user and without a stack trace. */
export class StartFailure extends Error {
  /** @param {string} message @param {number} [exitCode] */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
