import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { CommandRefused } from '../command-refused.js';

/**
 * An encrypted stream in the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár 2015), as age uses it: chunks in
 * AES-256-GCM, whose nonces contain the number of the chunk and mark the last one. Chunks that are changed, swapped, repeated or
 * cut off cannot be decrypted. The key is derived from the passphrase by scrypt, with a salt for each file.
 */
const MAGIC = 'millwright-backup/1';
const CHUNK = 65_536;
const TAG = 16;
/** Parameters of scrypt, which then needs 128 MiB of memory and about half a second. */
const KDF = { N: 2 ** 17, r: 8, p: 1 };
const MOST_N = 2 ** 20;
/** Maximum size of the first line, in bytes. */
const MAX_HEADER = 1_024;

const Header = z.object({
  format: z.literal(MAGIC),
  salt: z.string().length(44),
  N: z.number().int().min(1_024).max(MOST_N),
  r: z.literal(KDF.r),
  p: z.literal(KDF.p),
});

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);
const keyOf = (passphrase: string, salt: Buffer, { N, r, p }: typeof KDF) =>
  derive(passphrase.normalize('NFKC'), salt, 32, { N, r, p, maxmem: 256 * N * r });

/** Returns the nonce of a chunk: 88 bits with the number of the chunk, and 8 bits that mark the last chunk. */
function nonceOf(chunk: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(chunk, 5, 6);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

/** Splits a stream into chunks of one size; the last chunk, which may be empty, is marked. */
async function* inChunks(source: AsyncIterable<Uint8Array>, size: number) {
  let kept = Buffer.alloc(0);
  for await (const part of source) {
    kept = Buffer.concat([kept, part]);
    while (kept.length > size) {
      yield { bytes: kept.subarray(0, size), isLast: false };
      kept = kept.subarray(size);
    }
  }
  yield { bytes: kept, isLast: true };
}

export async function* seal(source: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(32);
  const header = Buffer.from(`${JSON.stringify({ format: MAGIC, salt: salt.toString('base64'), ...KDF })}\n`);
  yield header;
  const key = await keyOf(passphrase, salt, KDF);
  let number = 0;
  for await (const { bytes, isLast } of inChunks(source, CHUNK)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast));
    if (number === 0) cipher.setAAD(header);
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    number += 1;
  }
}

/** Decrypts a stream. @throws CommandRefused when the passphrase is wrong, or the stream was changed or cut off */
export async function* unseal(source: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Buffer> {
  const parts = source[Symbol.asyncIterator]();
  const { header, rest } = await readHeader(parts);
  const parsed = Header.safeParse(parseJson(header.toString()));
  if (!parsed.success) throw new CommandRefused('This is not a backup of Millwright, or of a later release.');
  const key = await keyOf(passphrase, Buffer.from(parsed.data.salt, 'base64'), parsed.data);
  const body = (async function* () {
    yield rest;
    for (let part = await parts.next(); part.done !== true; part = await parts.next()) yield part.value;
  })();
  let number = 0;
  for await (const { bytes, isLast } of inChunks(body, CHUNK + TAG)) {
    yield open(key, number, { bytes, isLast, header });
    number += 1;
  }
}

function open(
  key: Buffer,
  number: number,
  { bytes, isLast, header }: { bytes: Buffer; isLast: boolean; header: Buffer },
) {
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, isLast));
  if (number === 0) decipher.setAAD(header);
  const at = Math.max(0, bytes.length - TAG);
  try {
    decipher.setAuthTag(bytes.subarray(at));
    return Buffer.concat([decipher.update(bytes.subarray(0, at)), decipher.final()]);
  } catch (error) {
    const reason =
      number === 0 ? 'The passphrase is wrong, or the file was changed.' : 'The file was changed or cut off.';
    throw new CommandRefused(`${reason} Nothing was restored.`, { code: 'backup_unreadable', cause: error });
  }
}

async function readHeader(parts: AsyncIterator<Uint8Array>): Promise<{ header: Buffer; rest: Buffer }> {
  let bytes = Buffer.alloc(0);
  for (;;) {
    const end = bytes.indexOf('\n');
    if (end !== -1) return { header: bytes.subarray(0, end + 1), rest: bytes.subarray(end + 1) };
    const part = bytes.length > MAX_HEADER ? { done: true as const } : await parts.next();
    if (part.done === true) throw new CommandRefused('This is not a backup of Millwright.');
    bytes = Buffer.concat([bytes, part.value]);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
