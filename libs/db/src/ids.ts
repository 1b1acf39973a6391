import { createHash } from 'node:crypto';
import { stringify, v7 as uuidv7 } from 'uuid';

/**
 * A UUID that is below every id, and a UUID that is above every id. Lists by id begin at the first in ascending order,
 * and at the second in descending order.
 */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Kinds of public ids, by prefix. The prompt API returns UUIDs without a prefix, except for OpenAI's responses. */
export type IdPrefix =
  | 'usr'
  | 'ses'
  | 'sk'
  | 'ag'
  | 'pl'
  | 'ct'
  | 'ms'
  | 'fl'
  | 'kns'
  | 'ctx'
  | 'msg'
  | 'img'
  | 'resp'
  | 'key'
  | 'cli'
  | 'job'
  | 'dev'
  | 'con'
  | 'pk'
  | 'run'
  | 'apr'
  | 'task'
  | 'wh'
  | 'evt'
  | 'dlv'
  | 'trg'
  | 'fir'
  | 'bud'
  | 'mpr'
  | 'mdl';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = ALPHABET.length;
const LENGTH = 22;
/** Number of digits that are converted together. The largest number with this many digits is exact, because it is below 2 ** 53. */
const PART_LENGTH = 8;
const PART = BigInt(BASE ** PART_LENGTH);
const FIRST_LENGTH = LENGTH - 2 * PART_LENGTH;
const MAX = 1n << 128n;

/** Creates a new UUIDv7 (RFC 9562 §5.7). Ids that are made later sort later, so indexes of ids stay efficient. */
export function newId(): string {
  return uuidv7();
}

/** Returns the UUIDv8 (RFC 9562 §5.8) of a text. Equal texts have equal ids. */
export function idFor(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return stringify(bytes);
}

/** Whether a text is a UUID in lower case, as ids are written in this installation. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** Writes a UUID as a prefix, such as `sk_`, and 22 base62 characters. The same UUID always gives the same text. */
export function encodeId(prefix: IdPrefix, uuid: string): string {
  const value = BigInt(`0x${uuid.replaceAll('-', '')}`);
  const upper = value / PART;
  const first = toDigits(upper / PART, FIRST_LENGTH);
  return `${prefix}_${first}${toDigits(upper % PART, PART_LENGTH)}${toDigits(value % PART, PART_LENGTH)}`;
}

/** Writes a number below 2 ** 53 with this many base62 digits. */
function toDigits(value: bigint, length: number): string {
  let rest = Number(value);
  let text = '';
  for (let i = 0; i < length; i++) {
    text = ALPHABET.charAt(rest % BASE) + text;
    rest = Math.floor(rest / BASE);
  }
  return text;
}

/** Reads a number below 2 ** 53 from base62 digits; `undefined` for other characters. */
function fromDigits(text: string): bigint | undefined {
  let value = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = ALPHABET.indexOf(text.charAt(i));
    if (digit < 0) return undefined;
    value = value * BASE + digit;
  }
  return BigInt(value);
}

/** Returns the UUID of an id of any kind, or `undefined` for another text. */
export function decodeAnyId(text: string): string | undefined {
  if (isUuid(text)) return text;
  const [prefix = ''] = text.split('_', 1);
  return decodeId(prefix as IdPrefix, text);
}

/** Returns the UUID in a prefixed id, or `undefined` for anything that `encodeId(prefix, …)` does not produce. */
export function decodeId(prefix: IdPrefix, id: string): string | undefined {
  if (id.length !== prefix.length + 1 + LENGTH || !id.startsWith(`${prefix}_`)) return undefined;
  const digits = id.slice(prefix.length + 1);
  const [first, second, third] = [
    fromDigits(digits.slice(0, FIRST_LENGTH)),
    fromDigits(digits.slice(FIRST_LENGTH, -PART_LENGTH)),
    fromDigits(digits.slice(-PART_LENGTH)),
  ];
  if (first === undefined || second === undefined || third === undefined) return undefined;
  const value = (first * PART + second) * PART + third;
  if (value >= MAX) return undefined;
  const hex = value.toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
