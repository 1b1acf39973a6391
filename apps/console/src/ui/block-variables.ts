/** Returns the names in double braces in a text, each once. `\\{{` is literal text. */
export function variablesIn(text: string): string[] {
  const found = text.matchAll(/\\\{\{|\{\{[ \t]*([\w.]+)[ \t]*\}\}/g);
  return [...new Set([...found].flatMap(([, name]) => (name === undefined ? [] : [name])))];
}
