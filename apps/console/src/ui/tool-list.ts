const ENTRY = /^(\*|[\w-]+\/(\*|[\w.-]+))$/;

/** Which tools of MCP servers may be used, one a line: `*`, `server/*` or `server/tool`. */
export const toolLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export function toolLinesFault(text: string): string | null {
  const wrong = toolLines(text).find((line) => !ENTRY.test(line));
  return wrong === undefined ? null : `${wrong} is not *, server/* or server/tool.`;
}
