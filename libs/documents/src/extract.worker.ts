import { parentPort, workerData } from 'node:worker_threads';
import { NotExtracted } from './block.js';
import { cutPassages } from './cut-passages.js';
import { extractBlocks } from './extract-blocks.js';
import type { Extracted, Order } from './run-extraction.js';

/** The passages or the text of one file. The thread ends afterwards, so that no file can read data of another file. */
async function extract({ source, as }: Order): Promise<Extracted> {
  try {
    const blocks = await extractBlocks(source);
    return as === 'text' ? { text: blocks.map(({ text }) => text).join('\n\n') } : { passages: cutPassages(blocks) };
  } catch (error) {
    if (error instanceof NotExtracted) return { failure: error.code };
    // A RangeError comes from nesting that a parser follows by recursion.
    if (error instanceof RangeError) return { failure: 'too_complex' };
    // Parsers throw errors of many kinds for bytes of another format.
    return { failure: 'damaged' };
  }
}

parentPort?.postMessage(await extract(workerData as Order));
