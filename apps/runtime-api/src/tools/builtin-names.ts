/** The public name of the built-in server. Registered servers cannot use it. */
export const BUILTIN = 'platform';

/** Prefix of the tool that sends a message to an agent. The agent's slug follows the prefix. */
export const ASK = 'ask_';
