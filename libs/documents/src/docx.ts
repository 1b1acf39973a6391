import { unzipSync } from 'fflate';
import { Parser } from 'htmlparser2';
import { createBlocks, NotExtracted, requireDepth, type Block } from './block.js';

const DOCUMENT = 'word/document.xml';
const STYLES = 'word/styles.xml';
/** Maximum number of bytes of an unpacked part. Unpacking stops at the size that the entry of the part in the ZIP file states. */
const MAX_PART_BYTES = 20 * 1_048_576;

/**
 * Returns the text part and the styles of a DOCX document (ECMA-376, WordprocessingML).
 * @throws NotExtracted too_large for a large part, unsupported for a ZIP file without a text part
 */
function partsOf(bytes: Uint8Array): { document: string; styles: string } {
  const parts = unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (name !== DOCUMENT && name !== STYLES) return false;
      if (originalSize > MAX_PART_BYTES) throw new NotExtracted('too_large');
      return true;
    },
  });
  const text = (name: string) => new TextDecoder().decode(parts[name] ?? new Uint8Array());
  if (!parts[DOCUMENT]) throw new NotExtracted('unsupported');
  return { document: text(DOCUMENT), styles: text(STYLES) };
}

/**
 * Returns the level of each heading style, by the id of the style. Names of built-in styles are English in every
 * language of Word.
 */
function headingStyles(xml: string): Map<string, number> {
  const levels = new Map<string, number>();
  let id: string | undefined;
  const parser = new Parser(
    {
      onopentag(name, { 'w:styleId': styleId, 'w:val': value = '' }) {
        if (name === 'w:style') id = styleId;
        const heading = /^(?:heading ([1-6])|(title))$/i.exec(value);
        if (name === 'w:name' && id !== undefined && heading) levels.set(id, Number(heading[1] ?? 1));
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return levels;
}

/** Returns the blocks of a DOCX document. @throws NotExtracted too_large, too_complex, or unsupported for a ZIP file without a text part */
export function blocksOfDocx(bytes: Uint8Array): Block[] {
  const { document, styles } = partsOf(bytes);
  const levels = headingStyles(styles);
  const { blocks, add } = createBlocks();
  let depth = 0;
  let text = '';
  let level = 0;
  let isText = false;
  /** Number of open fallbacks. A fallback repeats the content of its alternative. */
  let fallbacks = 0;
  let cells = 0;
  const parser = new Parser(
    {
      onopentag(name, { 'w:val': value = '' }) {
        depth += 1;
        requireDepth(depth);
        if (name === 'mc:Fallback') fallbacks += 1;
        if (name === 'w:tc') cells += 1;
        if (name === 'w:pStyle') level = levels.get(value) ?? 0;
        if (name === 'w:tab') text += '\t';
        if (name === 'w:br' || name === 'w:cr') text += '\n';
        isText = name === 'w:t';
      },
      ontext(data) {
        if (isText && fallbacks === 0) text += data;
      },
      onclosetag(name) {
        depth -= 1;
        isText = false;
        if (name === 'mc:Fallback') fallbacks -= 1;
        if (name === 'w:tc') {
          cells -= 1;
          text += ' | ';
        }
        // The paragraphs in the cells of a table become one block for each row.
        if (name === 'w:p' && cells > 0) text += ' ';
        else if (name === 'w:p' || name === 'w:tr') {
          add({ level, text });
          text = '';
        }
        if (name === 'w:p') level = 0;
      },
    },
    { xmlMode: true },
  );
  parser.end(document);
  add({ level: 0, text });
  return blocks;
}
