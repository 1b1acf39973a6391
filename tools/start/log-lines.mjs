// @ts-check

const quietLevels = ['trace', 'debug', 'info'];

/**
 * Whether a line of a service goes to the terminal too: warnings and worse, other texts than log lines, and magic links.
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
