// @ts-check

const quietLevels = ['trace', 'debug', 'info'];

/**
 * Returns whether a line of a service is also shown on the terminal: a warning, an error, a text that is no log line, or a line with a magic link.
 *
 * @param {string} line
 */
export function isForTerminal(line) {
  if (line.trim() === '') return false;
  if (line.includes('"magic_link.issued"')) return true;
  try {
    return !quietLevels.includes(JSON.parse(line).level);
  } catch {
    return true;
  }
}
