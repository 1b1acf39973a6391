/** Returns the JSON of an answer. Returns `undefined` when the body is not JSON, is larger than `maxBytes`, or is cut off. */
export async function readJson({ body }: Response, maxBytes: number): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    const parts: AsyncIterable<Uint8Array> | readonly Uint8Array[] = body ?? [];
    for await (const chunk of parts) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) return undefined; // leaving the loop cancels the body
    }
    return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
  } catch {
    return undefined;
  }
}
