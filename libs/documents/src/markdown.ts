import { Lexer } from 'marked';
import { createBlocks, type Block } from './block.js';

/**
 * Returns the blocks of Markdown. Paragraphs keep their source, because models can read it.
 * @throws NotExtracted too_large
 */
export function blocksOfMarkdown(source: string): Block[] {
  const { blocks, add } = createBlocks();
  for (const token of new Lexer({ gfm: true }).blockTokens(withoutFrontMatter(source))) {
    if (token.type === 'heading') add({ level: Number(token['depth']), text: String(token['text']) });
    else if (token.type !== 'space' && token.type !== 'hr') add({ level: 0, text: token.raw });
  }
  return blocks;
}

const withoutFrontMatter = (source: string) => source.replace(/^---\r?\n[\s\S]{0,20000}?\r?\n---\r?\n/, '');

/** Returns the blocks of plain text: the paragraphs between empty lines. @throws NotExtracted too_large */
export function blocksOfText(text: string): Block[] {
  const { blocks, add } = createBlocks();
  for (const paragraph of text.split(/\r?\n[^\S\n]*\r?\n/)) add({ level: 0, text: paragraph });
  return blocks;
}
