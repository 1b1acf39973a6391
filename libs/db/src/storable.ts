/** Whether PostgreSQL can store the text. It stores neither NUL nor half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Returns the text with a replacement character for each part that PostgreSQL cannot store. Use it for texts of models, tools and other systems. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}
