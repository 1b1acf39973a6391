import { NotExtracted, type Block } from './block.js';
import { blocksOfDocx } from './docx.js';
import { blocksOfHtml } from './html.js';
import { blocksOfMarkdown, blocksOfText } from './markdown.js';

export interface Source {
  bytes: Uint8Array;
  /** The path of the file. The ending of the path may show the format. */
  name: string;
  contentType: string;
}

const startsWith = (bytes: Uint8Array, text: string, within: number) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, within)).includes(text);

/**
 * Returns the blocks of a PDF, DOCX, HTML, Markdown or text file. The format is found from the bytes, and for texts
 * also from the name and the content type.
 * @throws NotExtracted when the file has no readable text
 */
export async function extractBlocks({ bytes, name, contentType }: Source): Promise<Block[]> {
  const blocks = await blocksBy();
  if (blocks.length === 0) throw new NotExtracted('no_text');
  return blocks;

  async function blocksBy(): Promise<Block[]> {
    // The header may begin within the first 1,024 bytes (ISO 32000-1 Annex H).
    if (startsWith(bytes, '%PDF-', 1_024)) return (await import('./pdf.js')).blocksOfPdf(bytes);
    if (startsWith(bytes, 'PK\x03\x04', 4)) return blocksOfDocx(bytes);
    const text = decode(bytes);
    if (/\.(html?|xhtml)$/i.test(name) || /^(text\/html|application\/xhtml)/i.test(contentType))
      return blocksOfHtml(text);
    if (/^\s*(<!doctype html|<html)/i.test(text.slice(0, 1_024))) return blocksOfHtml(text);
    if (/\.(md|markdown|mdx)$/i.test(name) || /^text\/(x-)?markdown/i.test(contentType)) return blocksOfMarkdown(text);
    return blocksOfText(text);
  }
}

/** @throws NotExtracted unsupported, for bytes that are not text in UTF-8 or UTF-16. */
function decode(bytes: Uint8Array): string {
  const label =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(label, { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // The bytes are not text: the error below is thrown.
  }
  throw new NotExtracted('unsupported');
}
