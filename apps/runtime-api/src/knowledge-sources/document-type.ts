const TYPES = new Set([
  'text/html',
  'application/xhtml+xml',
  'text/markdown',
  'text/x-markdown',
  'text/plain',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
]);
/** Types that name no format. The file extension then decides. */
const UNKNOWN = new Set(['', 'application/octet-stream', 'binary/octet-stream']);
const ENDING = /\.(html?|xhtml|md|markdown|mdx|txt|pdf|docx)$/i;

const typeOf = (contentType: string) => contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** Whether documents of this `Content-Type` and name are supported. */
export function isSupportedType(contentType: string, name: string): boolean {
  const type = typeOf(contentType);
  return TYPES.has(type) || (UNKNOWN.has(type) && ENDING.test(name));
}

/** An HTML document must name its encoding within this number of bytes from its start (WHATWG HTML §13.2.3.2). */
const PRESCAN_BYTES = 1_024;
const CHARSET = /charset\s*=\s*["']?\s*([\w:.-]{1,40})/i;

/** Returns the encoding that the `Content-Type` or the start of an HTML document names. */
function charsetOf(bytes: Uint8Array, contentType: string): string | undefined {
  const named = CHARSET.exec(contentType)?.[1];
  if (named !== undefined || !/html/i.test(contentType)) return named;
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, PRESCAN_BYTES)).toString('latin1');
  return /<meta\b[^>]*?charset\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(start)?.[1];
}

const hasMark = ([first, second]: Uint8Array) =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

/** Converts a text in an encoding other than UTF-8 to UTF-8. Returns all other documents unchanged. */
export function toUtf8(bytes: Uint8Array, contentType: string): Uint8Array {
  const isText = /^(text\/|application\/xhtml)/.test(typeOf(contentType));
  const charset = isText && !hasMark(bytes) ? charsetOf(bytes, contentType) : undefined;
  if (charset === undefined || /^utf-?8$/i.test(charset)) return bytes;
  try {
    return new TextEncoder().encode(new TextDecoder(charset).decode(bytes));
  } catch {
    return bytes; // a RangeError: no encoding has this name
  }
}
