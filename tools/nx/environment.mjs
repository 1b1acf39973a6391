// @ts-check

/** Variables of Nx that this workspace sets itself. They stay in the environment of programs that tasks start. */
const KEPT = new Set(['NX_DAEMON', 'NX_TUI']);

/**
 * Returns the environment of a task's program. It lacks the variables that Nx sets for the task itself, such as colours in the output, which tests do
 * not expect.
 */
export function environmentOfTask() {
  const entries = Object.entries(process.env).filter(
    ([name]) => KEPT.has(name) || (!name.startsWith('NX_') && name !== 'FORCE_COLOR'),
  );
  return Object.fromEntries(entries);
}
