import { getDocumentProxy } from 'unpdf';
import { createBlocks, NotExtracted, type Block } from './block.js';

const MAX_PAGES = 3_000;

/** Returns the paragraphs of a PDF with their pages. PDF has no headings. @throws NotExtracted encrypted, damaged, or too_large for too many pages */
export async function blocksOfPdf(bytes: Uint8Array): Promise<Block[]> {
  const { blocks, add } = createBlocks();
  const document = await getDocumentProxy(bytes, { verbosity: 0, stopAtErrors: false, useSystemFonts: false }).catch(
    (error: unknown) => {
      throw new NotExtracted(error instanceof Error && error.name === 'PasswordException' ? 'encrypted' : 'damaged');
    },
  );
  if (document.numPages > MAX_PAGES) throw new NotExtracted('too_large');
  for (let page = 1; page <= document.numPages; page += 1) {
    const found = await document.getPage(page);
    const { items } = await found.getTextContent();
    const lines = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
    for (const paragraph of lines.split(/\n\s*\n/)) add({ level: 0, page, text: paragraph });
    found.cleanup();
  }
  return blocks;
}
