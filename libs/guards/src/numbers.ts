import { isSupportedCountry, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min';
// Imports single functions to save memory, as in email.ts.
import isCreditCard from 'validator/lib/isCreditCard.js';
import isIBAN from 'validator/lib/isIBAN.js';
import type { Checks, Detector, Found } from './found.js';

/** ASCII, full-width, Arabic and Persian digits. The last four bits of each digit are its value. */
const DIGITS = /[0-9\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]+/g;
/**
 * Character that replaces the first two characters of a percent-encoded character, so that indexes in the text stay the
 * same.
 */
const FILL = '\ue000';
/** Percent-encoded ASCII characters other than letters and digits. */
const ENCODED = /%(?:2[0-9a-f]|3[a-f]|40|5[b-f]|60|7[b-e])/gi;
/** A `+` between digits or letters, which means a space in form encoding. */
const FORM_SPACE = /(?<=[A-Za-z0-9])\+(?=[A-Za-z0-9])/g;

/** Returns the text in which the percent-encoded separators of numbers are decoded. Its length stays the same. */
export const withSeparators = (text: string): string =>
  text.includes('%') ? text.replaceAll(ENCODED, (encoded) => FILL + FILL + decodeURIComponent(encoded)) : text;

/** Returns the start of a match. When the match begins with a percent-encoded character, this is the start of its encoding. */
const startOf = (text: string, start: number): number => (text.charAt(start - 1) === FILL ? start - 2 : start);

/** Separators between the groups of a number. */
const BETWEEN = /^[\ue000 \u00a0\u2007\u2009\u202f().\-/\u2010-\u2013]{1,3}$/;
/** The plus sign before an international number, optionally with a bracket. */
const PLUS = /[+\uff0b]\(?$/;
const LETTER = /[\p{L}_]/u;

const CARD = { least: 13, most: 19 };
const PHONE = { least: 7, most: 15 };
/**
 * Limit of attempts for one number. Each attempt omits one more of the last groups, because these may belong to another
 * number.
 */
const MOST_TRIES = 6;

interface Group {
  start: number;
  end: number;
  digits: string;
  /** Whether the group after this one may belong to the same number. */
  continues: boolean;
}

const toDigits = (text: string) => text.replaceAll(/\P{ASCII}/gu, (digit) => String(digit.charCodeAt(0) & 0xf));

/**
 * Whether a number is part of a name: the character before the number is a letter, and does not belong to a JSON escape
 * sequence.
 */
function isInName(text: string, start: number): boolean {
  return LETTER.test(text.charAt(start - 1)) && !/\\[nrtbf]$/.test(text.slice(Math.max(0, start - 2), start));
}

function groupsOf(text: string, from: number): Group[] {
  const groups: Group[] = [];
  for (const { 0: run, index: start } of text.slice(from).matchAll(DIGITS)) {
    const last = groups.at(-1);
    if (last) last.continues = BETWEEN.test(text.slice(last.end, from + start).slice(0, 4));
    groups.push({ start: from + start, end: from + start + run.length, digits: toDigits(run), continues: false });
  }
  return groups;
}

/** Returns the candidate numbers that start with a given group and consist of whole groups, the longest first. */
function numbersAt(groups: readonly Group[], first: number, { least, most }: typeof CARD) {
  const numbers: { digits: string; end: number; shortest: number }[] = [];
  let digits = '';
  let shortest = most;
  for (let index = first; index < groups.length; index += 1) {
    const group = groups[index];
    if (!group || digits.length + group.digits.length > most) break;
    digits += group.digits;
    shortest = Math.min(shortest, group.digits.length);
    if (digits.length >= least) numbers.push({ digits, end: group.end, shortest });
    if (!group.continues) break;
  }
  return numbers.reverse().slice(0, MOST_TRIES);
}

/** Whether the last of the digits is a valid check digit (ISO/IEC 7812-1). */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - place) & 0xf;
    const doubled = place % 2 === 1 ? 2 * digit : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const endsWord = (text: string, end: number) => !LETTER.test(text.charAt(end));

/** Finds payment card numbers. Each of their groups has at least two digits. */
export const findCards: Detector = (encoded, from) => {
  const text = withSeparators(encoded).replaceAll(FORM_SPACE, ' ');
  const groups = groupsOf(text, from);
  return groups.flatMap(({ start, digits: first }, index): Found[] => {
    // Card numbers start with 2 to 6. A number after a plus sign is a telephone number.
    if (first.length < 2 || !/^[2-6]/.test(first) || isInName(text, start)) return [];
    if (PLUS.test(text.slice(Math.max(0, start - 2), start))) return [];
    const card = numbersAt(groups, index, CARD).find(
      ({ digits, end, shortest }) =>
        shortest > 1 && hasCheckDigit(digits) && endsWord(text, end) && isCreditCard.default(digits),
    );
    return card ? [{ start, end: card.end, guard: 'card' }] : [];
  });
};

function isPhone(digits: string, isInternational: boolean, countries: readonly CountryCode[]): boolean {
  if (isInternational) return parsePhoneNumberFromString(`+${digits}`)?.isValid() === true;
  return countries.some((country) => parsePhoneNumberFromString(digits, country)?.isValid() === true);
}

/** Finds international telephone numbers, and national numbers of the given countries. */
export function findPhones(countries: readonly string[]): Detector {
  const known = countries.filter((country) => isSupportedCountry(country));
  const phoneAt = (text: string, groups: readonly Group[], index: number, checks: Checks): Found | undefined => {
    const { start, digits: first = '' } = groups[index] ?? {};
    if (start === undefined) return undefined;
    const sign = PLUS.exec(text.slice(Math.max(0, start - 2), start))?.[0] ?? '';
    if (sign === '' && isInName(text, start)) return undefined;
    const zeros = sign === '' && first.startsWith('00') ? 2 : 0;
    const isInternational = sign !== '' || zeros > 0;
    // National numbers are not searched inside a longer number.
    if (!isInternational && (known.length === 0 || groups[index - 1]?.continues === true)) return undefined;
    const phone = numbersAt(groups, index, { least: PHONE.least, most: PHONE.most + zeros }).find(
      ({ digits, end }) =>
        endsWord(text, end) && checks.passes(() => isPhone(digits.slice(zeros), isInternational, known)),
    );
    return phone && { start: startOf(text, start - sign.length), end: phone.end, guard: 'phone' };
  };
  return (encoded, from, checks) => {
    const text = withSeparators(encoded);
    const groups = groupsOf(text, from);
    return groups.flatMap((_group, index) => phoneAt(text, groups, index, checks) ?? []);
  };
}

const IBAN_START = /(?<![A-Za-z0-9])[A-Za-z]{2}[0-9]{2}(?=\ue000*[ \u00a0.-]?[A-Za-z0-9])/g;
const IBAN = { least: 15, most: 34 };
const SEPARATOR = /[ \u00a0.-]/;
const ALPHANUMERIC = /[A-Za-z0-9]/;

/** Returns the possible account numbers that start at an index, the longest first. */
function accountsAt(text: string, start: number) {
  const accounts: { account: string; end: number }[] = [];
  let account = '';
  for (let index = start; account.length < IBAN.most && index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === FILL) continue;
    if (ALPHANUMERIC.test(character)) account += character.toUpperCase();
    else if (!SEPARATOR.test(character) || SEPARATOR.test(text.charAt(index - 1))) break;
    else continue;
    const isWhole = !ALPHANUMERIC.test(text.charAt(index + 1));
    if (isWhole && account.length >= IBAN.least) accounts.unshift({ account, end: index + 1 });
  }
  return accounts;
}

/** Finds bank account numbers (IBAN, ISO 13616). */
export const findIbans: Detector = (encoded, from, checks) => {
  const text = withSeparators(encoded).replaceAll(FORM_SPACE, ' ');
  const found: Found[] = [];
  IBAN_START.lastIndex = from;
  for (let match = IBAN_START.exec(text); match; match = IBAN_START.exec(text)) {
    const { index: start } = match;
    const iban = accountsAt(text, start).find(({ account }) => checks.passes(() => isIBAN.default(account)));
    if (iban) found.push({ start, end: iban.end, guard: 'iban' });
  }
  return found;
};

/** Matches the end of a text that may be the start of a number. The text must come from {@link withSeparators}. */
export const OPEN_NUMBER =
  /(?:[+\uff0b]?\(?[0-9\u0660-\u0669\u06f0-\u06f9\uff10-\uff19](?:[\ue000 \u00a0\u2007\u2009\u202f().\-/\u2010-\u2013]{0,3}[0-9\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]){0,40}[\ue000 \u00a0\u2007\u2009\u202f().\-/\u2010-\u2013]{0,3}|[A-Za-z]{2}[0-9]{2}(?:\ue000{0,2}[ \u00a0.-]?[A-Za-z0-9]){0,30}\ue000{0,2}[ \u00a0.-]?)$/;
