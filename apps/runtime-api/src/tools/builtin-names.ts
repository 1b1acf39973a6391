/** The public name of the built-in server; registered servers cannot use it. */
export const BUILTIN = 'platform';

/** Prefix of the tool that sends a message to an agent; the agent's slug follows. */
export const ASK = 'ask_';
