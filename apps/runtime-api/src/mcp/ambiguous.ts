/** A string of JSON, with the colon that makes it a name, or what opens or closes a level. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g;

/** How deep a message says what it is: the message itself and its `params`. */
const DEPTH = 2;

/**
 * Whether a JSON text gives a name twice, in whatever case, where a message says what it is. Parsers differ in which of two they
 * take, and some ignore the case: what is passed on as it came must not be another message to the server than it is to us.
 *
 * @param text JSON that was parsed before
 */
export function isAmbiguous(text: string): boolean {
  const levels: Set<string>[] = [];
  for (const [token, name, colon] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') levels.push(new Set());
    else if (token === '}' || token === ']') levels.pop();
    else if (name !== undefined && colon !== undefined && levels.length <= DEPTH) {
      const names = levels.at(-1);
      const known = String(JSON.parse(name)).toLowerCase();
      if (names?.has(known)) return true;
      names?.add(known);
    }
  }
  return false;
}
