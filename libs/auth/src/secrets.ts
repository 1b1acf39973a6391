import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PUBLIC_ID_LENGTH = 12;
/** Length of a secret: 43 base62 characters contain 256 bits. */
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

/** `mw_live_` keys call the platform, runtime and prompt APIs; `mw_pat_` tokens belong to bridges and the command line. */
export type KeyKind = 'api_key' | 'pat';
const PREFIX: Record<KeyKind, string> = { api_key: 'mw_live_', pat: 'mw_pat_' };
const FORMAT = new RegExp(`^[0-9A-Za-z]{${PUBLIC_ID_LENGTH}}_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/**
 * Hashes a secret. SHA-256 is enough: nobody can find a secret of 256 random bits by trying, so no slow hash is needed.
 */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Compares a secret with a stored hash in constant time. */
export function secretMatches(secret: string, hash: Uint8Array): boolean {
  const actual = hashSecret(secret);
  return hash.length === actual.length && timingSafeEqual(actual, hash);
}

function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}

/** 32 random bytes as 64 hexadecimal characters, for setup tokens, magic links and codes. */
export function newOneTimeToken(): string {
  return randomBytes(32).toString('hex');
}

/** Whether a text has the format of a one-time token. Other texts are refused without a query. */
export const isOneTimeToken = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** Creates an opaque secret of 256 bits, for client secrets and refresh tokens. */
export function newOpaqueSecret(prefix: string): string {
  return `${prefix}${randomText(SECRET_LENGTH)}`;
}

/** Creates a client id: random, so that it reveals nothing about the installation. */
export function newClientId(): string {
  return `mw_client_${randomText(22)}`;
}

export interface KeyParts {
  publicId: string;
  secret: string;
}

/**
 * Creates a new key: `mw_live_<12 id>_<43 secret><6 checksum>`. Only the owner gets `text`; the database keeps
 * `publicId` and the hash of the secret.
 */
export function newKey(kind: KeyKind): KeyParts & { text: string } {
  const publicId = randomText(PUBLIC_ID_LENGTH);
  const secret = randomText(SECRET_LENGTH);
  const body = `${PREFIX[kind]}${publicId}_${secret}`;
  return { publicId, secret, text: body + checksum(body) };
}

/** Returns the beginning of a key, for lists. It contains no part of the secret. */
export function keyPrefix(kind: KeyKind, publicId: string): string {
  return `${PREFIX[kind]}${publicId}`;
}

/**
 * Returns the parts of a key, or `undefined` for a text with a wrong format or checksum, so that typing errors and
 * guesses need no query.
 */
export function parseKey(kind: KeyKind, text: string): KeyParts | undefined {
  const prefix = PREFIX[kind];
  if (!text.startsWith(prefix) || !FORMAT.test(text.slice(prefix.length))) return undefined;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  if (checksum(body) !== text.slice(-CHECKSUM_LENGTH)) return undefined;
  const publicId = text.slice(prefix.length, prefix.length + PUBLIC_ID_LENGTH);
  return { publicId, secret: body.slice(-SECRET_LENGTH) };
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
