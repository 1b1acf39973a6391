/** A part of a document in reading order: a heading with a level from 1 to 6, or a paragraph. */
export interface Block {
  /** Level of the heading; 0 for a paragraph. */
  level: number;
  text: string;
  /** Page of the block, counted from 1, when the format has pages. */
  page?: number;
}

/** Reasons why no passages can be read from a file. */
export type ExtractFailure = 'unsupported' | 'damaged' | 'encrypted' | 'no_text' | 'too_large' | 'too_complex';

export class NotExtracted extends Error {
  readonly code: ExtractFailure;

  constructor(code: ExtractFailure) {
    super(code);
    this.code = code;
  }
}

/** Maximum length of a document's text, in characters. */
export const MAX_CHARACTERS = 750_000;
/** Maximum nesting depth of elements. */
const MAX_DEPTH = 500;

/** Collects blocks up to the limit of a document's text. */
export function createBlocks() {
  const blocks: Block[] = [];
  let characters = 0;
  return {
    blocks,
    /** Adds a block. @throws NotExtracted too_large when the text exceeds its maximum length */
    add: (block: Block): void => {
      const text = block.text.toWellFormed().replaceAll('\0', '').trim();
      if (text === '') return;
      characters += text.length;
      if (characters > MAX_CHARACTERS) throw new NotExtracted('too_large');
      blocks.push({ ...block, text });
    },
  };
}

/** Requires that an element is not nested too deeply. @throws NotExtracted too_complex when it is */
export function requireDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new NotExtracted('too_complex');
}
