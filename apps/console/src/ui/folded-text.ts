const MOST_LINES = 14;
const MOST_CHARACTERS = 1_200;
/** Minimum number of hidden characters; fewer are shown rather than folded behind a button. */
const LEAST_HIDDEN = 80;

/** Returns the beginning of a long text, and the number of characters that are hidden. */
export function foldedText(whole: string): { text: string; hidden: number } {
  const lines = whole.split('\n', MOST_LINES).join('\n');
  const text = lines.slice(0, MOST_CHARACTERS);
  const hidden = whole.length - text.length;
  return hidden < LEAST_HIDDEN ? { text: whole, hidden: 0 } : { text, hidden };
}
