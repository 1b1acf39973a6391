// @ts-check

/**
 * Makes a function that returns whether a `.dockerignore` excludes a path from the build context. The last pattern that matches the path or a
 * folder above it decides.
 *
 * @param {string} text
 * @returns {(path: string) => boolean}
 */
export function createIgnore(text) {
  const patterns = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => ({ keeps: line.startsWith('!'), matches: toExpression(line.replace(/^!/, '').replace(/\/$/, '')) }));
  return (path) => {
    const above = path.split('/').map((_name, index, names) => names.slice(0, index + 1).join('/'));
    let ignored = false;
    for (const { keeps, matches } of patterns) if (above.some((name) => matches.test(name))) ignored = !keeps;
    return ignored;
  };
}

/** @param {string} pattern */
function toExpression(pattern) {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\//g, '\u0000')
    .replace(/\*/g, '[^/]*')
    .replace(/\?/g, '[^/]')
    .replace(/\u0000/g, '(?:.*/)?');
  return new RegExp(`^${source}$`);
}
