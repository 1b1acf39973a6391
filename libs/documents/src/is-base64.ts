const PIECE_LENGTH = 8_192;
const PIECE = /^[A-Za-z0-9+/]+$/;

/**
 * Whether a text is base64 (RFC 4648, section 4), with or without padding, and not empty. The text is read in pieces,
 * because a regular expression exceeds the stack on a text of some megabytes.
 */
export function isBase64(text: string): boolean {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const end = text.length - padding;
  if (end === 0) return false;
  for (let at = 0; at < end; at += PIECE_LENGTH)
    if (!PIECE.test(text.slice(at, Math.min(at + PIECE_LENGTH, end)))) return false;
  return true;
}
