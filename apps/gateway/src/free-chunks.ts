import type { ClientRequest } from 'node:http';

/** Below this a chunk is not worth the call. */
const LARGE_BYTES = 16 * 1024;

/**
 * Gives the memory of a body's chunks back as soon as each is sent on. Left to the collector, an upload's chunks pile up by the
 * hundred: what it sees of each is small, and the bytes are elsewhere.
 */
export function freeChunksWhenSent(outgoing: ClientRequest): void {
  const write = outgoing.write.bind(outgoing) as (chunk: Buffer, sent: (failure?: Error | null) => void) => boolean;
  const writeAndFree = (chunk: Buffer) => write(chunk, (failure) => failure ?? free(chunk));
  outgoing.write = writeAndFree as typeof outgoing.write;
}

/** The parser copies each chunk into memory of its own; where that is not so, someone else may still read it. */
function free({ buffer, byteLength }: Buffer): void {
  if (byteLength >= LARGE_BYTES && buffer.byteLength === byteLength && buffer instanceof ArrayBuffer)
    buffer.transfer(0);
}
