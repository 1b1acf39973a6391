const ENTRY = /^(\*|[\w-]+\/(\*|[\w.-]+))$/;

/** The lines of a text area, trimmed, without empty lines. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Returns the fault of a list of allowed MCP tools, one per line: `*`, `server/*` or `server/tool`. Null when it is valid. */
export function toolLinesFault(text: string): string | null {
  const wrong = linesOf(text).find((line) => !ENTRY.test(line));
  return wrong === undefined ? null : `${wrong} is not *, server/* or server/tool.`;
}
