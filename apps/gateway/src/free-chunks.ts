import type { ClientRequest } from 'node:http';

/** The smallest chunk, in bytes, that is worth freeing explicitly. */
const LARGE_BYTES = 16 * 1024;

/**
 * Frees the memory of a body's chunk as soon as the chunk is forwarded. The garbage collector would keep hundreds of an upload's
 * chunks, because it sees only their small objects, not the bytes outside its heap.
 */
export function freeChunksWhenSent(outgoing: ClientRequest): void {
  const write = outgoing.write.bind(outgoing) as (chunk: Buffer, sent: (failure?: Error | null) => void) => boolean;
  const writeAndFree = (chunk: Buffer) => write(chunk, (failure) => failure ?? free(chunk));
  outgoing.write = writeAndFree as typeof outgoing.write;
}

/** Frees a large chunk that fills its buffer. A buffer with other content is not freed, because that content may still be in use. */
function free({ buffer, byteLength }: Buffer): void {
  if (byteLength >= LARGE_BYTES && buffer.byteLength === byteLength && buffer instanceof ArrayBuffer)
    buffer.transfer(0);
}
