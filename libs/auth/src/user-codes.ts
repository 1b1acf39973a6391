import { randomInt } from 'node:crypto';
import { hashSecret } from './secrets.js';

/** Letters without vowels, so that codes contain no words (RFC 8628 §6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** Creates a code that a user types: 8 of 20 letters (34 bits), in two groups. */
export function newUserCode(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`;
}

/** Returns the hash under which an authorization request with this user code is stored; `undefined` for a malformed code. */
export function hashUserCode(text: string): Buffer | undefined {
  const letters = text
    .slice(0, 50)
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, '');
  const isCode = letters.length === LENGTH && Array.from(letters).every((letter) => LETTERS.includes(letter));
  return isCode ? hashSecret(`user code ${letters}`) : undefined;
}
