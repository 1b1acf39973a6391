// Imports single functions, because an import of the whole package would keep all its functions in memory. The types of the package
// describe each function as a member named `default`.
import isEmail from 'validator/lib/isEmail.js';
import type { Detector, Found } from './found.js';

/** The @ sign, also URL-encoded or JSON-escaped. */
const AT = /@|%40|\\u0040/gi;
/** Maximum length of the local part (RFC 5321 §4.5.3.1.1). */
const NAME_LENGTH = 64;
/** A character of the local part. Delimiters that precede an address in a URL are left out. */
const NAME = /[\p{L}\p{N}.!#$%'*+^_~-]/u;
const DOMAIN = /(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}[\p{L}\p{N}-]{1,62}/uy;
/** Quotes and punctuation that may precede an e-mail address and are no part of it. */
const NO_FIRST = /^[.'!#$%*^~-]+/;
/** A JSON escape sequence. */
const ESCAPE = /\\[nrtbf]$/;

function nameBefore(text: string, end: number, from: number): number {
  let start = end;
  while (start > from && end - start < NAME_LENGTH && NAME.test(text.charAt(start - 1))) start -= 1;
  if (start > 0 && ESCAPE.test(text.slice(start - 1, start + 1))) start += 1;
  return start + (NO_FIRST.exec(text.slice(start, end))?.[0].length ?? 0);
}

/** Finds e-mail addresses. */
export const findEmails: Detector = (text, from, checks) => {
  const found: Found[] = [];
  AT.lastIndex = from;
  for (let at = AT.exec(text); at; at = AT.exec(text)) {
    const start = nameBefore(text, at.index, from);
    const [sign] = at;
    DOMAIN.lastIndex = at.index + sign.length;
    const [domain] = DOMAIN.exec(text) ?? [];
    if (start === at.index || domain === undefined) continue;
    const address = `${text.slice(start, at.index)}@${domain}`;
    const isAddress = () =>
      isEmail.default(address, { allow_utf8_local_part: true, allow_underscores: true, ignore_max_length: true });
    if (checks.passes(isAddress)) found.push({ start, end: at.index + sign.length + domain.length, guard: 'email' });
  }
  return found;
};
