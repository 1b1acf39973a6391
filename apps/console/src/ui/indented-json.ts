/** JSON with indentation. Arguments written by a model may not be JSON: they stay as they are. */
export function indentedJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
