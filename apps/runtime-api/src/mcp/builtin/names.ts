/** The public name of the built-in server; no registered server can have it. */
export const BUILTIN = 'platform';

/** Before the slug of an agent: the name of the tool that sends it a message. */
export const ASK = 'ask_';
