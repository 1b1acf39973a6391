/** JSON with indentation. Text that is not JSON, such as invalid arguments of a model, is returned unchanged. */
export function indentedJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
