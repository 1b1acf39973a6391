import { NotExtracted, type Block } from './block.js';

/** A part of a document that can be found and cited alone. */
export interface CutPassage {
  /** The headings above the passage, the highest first; empty when there are none. */
  heading: string;
  page?: number;
  text: string;
}

/** Length of a passage, in characters, from which the next paragraph begins a new passage. */
const PASSAGE_CHARACTERS = 1_500;
/**
 * Number of characters that a passage repeats from the previous passage of its section, so that each sentence keeps its
 * context.
 */
const OVERLAP_CHARACTERS = 200;
const HEADING_CHARACTERS = 200;
/** Limit of a file's passages. One statement deletes all of them together with the file. */
export const MAX_PASSAGES = 600;

/** Splits a text into parts of at most `most` characters. A part ends after a sentence if possible, otherwise after a word, otherwise anywhere. */
function* partsOf(text: string, most: number): Generator<string, void, undefined> {
  let rest = text;
  while (rest.length > most) {
    const start = rest.slice(0, most);
    const sentence = Math.max(
      start.lastIndexOf('. '),
      start.lastIndexOf('\n'),
      start.lastIndexOf('? '),
      start.lastIndexOf('! '),
    );
    const word = start.lastIndexOf(' ');
    const end = sentence > most / 3 ? sentence + 1 : word > most / 3 ? word : most;
    yield rest.slice(0, end).toWellFormed().trim();
    rest = rest.slice(end).trimStart();
  }
  if (rest !== '') yield rest;
}

/** Returns the last sentences of a passage, or its last words, with which the next passage begins. */
function overlapOf(text: string): string {
  const end = text.slice(-OVERLAP_CHARACTERS);
  if (end.length === text.length) return '';
  const sentence = /[.!?\n]\s+(?=\S)/.exec(end);
  const from = sentence ? sentence.index + sentence[0].length : end.indexOf(' ') + 1;
  return end.slice(from).toWellFormed().trim();
}

/**
 * Divides a document into passages: first by headings, then by paragraphs. Passages of one section overlap.
 *
 * @throws NotExtracted too_large when the document has too many passages
 */
export function cutPassages(blocks: readonly Block[]): CutPassage[] {
  const passages: CutPassage[] = [];
  const headings: { level: number; text: string }[] = [];
  let text = '';
  let page: number | undefined;
  let hasOwn = false;

  const heading = () => {
    const path = headings.map((above) => above.text).join(' › ');
    return path.length > HEADING_CHARACTERS ? `…${path.slice(1 - HEADING_CHARACTERS)}`.toWellFormed() : path;
  };
  function end(keepsOverlap: boolean): void {
    if (hasOwn) passages.push({ heading: heading(), text, ...(page !== undefined && { page }) });
    if (passages.length > MAX_PASSAGES) throw new NotExtracted('too_large');
    text = keepsOverlap && hasOwn ? overlapOf(text) : '';
    hasOwn = false;
    page = undefined;
  }

  for (const block of blocks) {
    if (block.level > 0) {
      end(false);
      while ((headings.at(-1)?.level ?? 0) >= block.level) headings.pop();
      headings.push({
        level: block.level,
        text: block.text.replaceAll(/\s+/g, ' ').slice(0, HEADING_CHARACTERS).toWellFormed(),
      });
      continue;
    }
    for (const part of partsOf(block.text, PASSAGE_CHARACTERS)) {
      if (hasOwn && text.length + part.length > PASSAGE_CHARACTERS) end(true);
      text = text === '' ? part : `${text}\n\n${part}`;
      page ??= block.page;
      hasOwn = true;
    }
  }
  end(false);
  // The document has only headings, such as a list of titles.
  if (passages.length === 0 && headings.length > 0)
    return [
      {
        heading: '',
        text: blocks
          .map((block) => block.text)
          .join('\n')
          .slice(0, PASSAGE_CHARACTERS)
          .toWellFormed(),
      },
    ];
  return passages;
}
