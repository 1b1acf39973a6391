import { parentPort, workerData } from 'node:worker_threads';
import { NotExtracted } from './block.js';
import { cutPassages } from './cut-passages.js';
import { extractBlocks } from './extract-blocks.js';
import type { Extracted, Order } from './run-extraction.js';

/**
 * Returns the passages or the text of one file. The thread ends afterwards, so that the content of one file cannot
 * reach the data of another.
 */
async function extract({ source, as }: Order): Promise<Extracted> {
  try {
    const blocks = await extractBlocks(source);
    return as === 'text' ? { text: blocks.map(({ text }) => text).join('\n\n') } : { passages: cutPassages(blocks) };
  } catch (error) {
    if (error instanceof NotExtracted) return { failure: error.code };
    // A parser that follows nesting by recursion throws a RangeError when the nesting is too deep.
    if (error instanceof RangeError) return { failure: 'too_complex' };
    // Parsers throw errors of many kinds when the bytes have another format.
    return { failure: 'damaged' };
  }
}

parentPort?.postMessage(await extract(workerData as Order));
