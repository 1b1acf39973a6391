// @ts-check

const quietLevels = ['trace', 'debug', 'info'];

/** Whether a service's log line is for the terminal too: warnings and worse, what is no log line at all, and magic links. @param {string} line */
export function isForTerminal(line) {
  if (line.trim() === '') return false;
  if (line.includes('"magic_link.issued"')) return true;
  try {
    return !quietLevels.includes(JSON.parse(line).level);
  } catch {
    return true;
  }
}
