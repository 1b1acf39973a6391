import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A key and the name by which sealed values refer to it. */
export interface SecretKey {
  id: string;
  /** Key of 32 bytes. */
  key: Buffer;
}

/** Encrypts (seals) values that this installation must read again, such as headers and tokens for upstreams, for which a hash is not enough. */
export interface SecretBox {
  /**
   * Encrypts with AES-256-GCM under the first key. `context` names the place where the value is stored (`secretPlaces`). The value can be
   * opened only with the same context.
   */
  seal(plain: string, context: string): string;
  /** @throws SecretUnreadable when the value's key is not in the ring, the context differs, or a bit of the value has changed. */
  open(sealed: string, context: string): string;
  /** Whether the value is sealed under the first key. The other keys can be removed once every value is sealed under the first key. */
  isCurrent(sealed: string): boolean;
}

/** Error for a sealed value that this key ring cannot open. The message contains no part of the value. */
export class SecretUnreadable extends Error {
  override name = 'SecretUnreadable';
}

const FORMAT = 's1';
const KEY_BYTES = 32;
/** Size of the random 96-bit nonce (NIST SP 800-38D, section 8.2.2), in bytes. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Parses `id:<32 bytes in base64>`; undefined for any other text. */
export function parseSecretKey(text: string): SecretKey | undefined {
  const { id, encoded } = /^(?<id>[A-Za-z0-9_-]{1,32}):(?<encoded>[A-Za-z0-9+/_-]{43}=?)$/.exec(text)?.groups ?? {};
  if (id === undefined || encoded === undefined) return undefined;
  const key = Buffer.from(encoded, 'base64');
  return key.length === KEY_BYTES ? { id, key } : undefined;
}

/**
 * Makes a secret box: the first key seals, every key opens. To rotate the key, put a new key in front, and keep the old
 * key until no value is sealed under it.
 */
export function createSecretBox(keys: readonly SecretKey[]): SecretBox {
  const [current] = keys;
  if (!current) throw new Error('A secret box needs a key.');
  const byId = new Map(keys.map((entry) => [entry.id, entry.key]));
  const authenticated = (id: string, context: string) => Buffer.from(`${FORMAT}.${id}\0${context}`);

  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce);
      cipher.setAAD(authenticated(current.id, context));
      const body = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${FORMAT}.${current.id}.${body.toString('base64url')}`;
    },

    open(sealed, context) {
      const [format, id = '', encoded = '', ...more] = sealed.split('.');
      const key = byId.get(id);
      const body = Buffer.from(encoded, 'base64url');
      if (format !== FORMAT || more.length > 0 || body.length < NONCE_BYTES + TAG_BYTES)
        throw new SecretUnreadable('This is not a sealed value.');
      if (!key) throw new SecretUnreadable(`The value is sealed under key ${id}, which is not configured.`);
      const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(authenticated(id, context));
      decipher.setAuthTag(body.subarray(-TAG_BYTES));
      try {
        const plain = decipher.update(body.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([plain, decipher.final()]).toString('utf8');
      } catch (error) {
        throw new SecretUnreadable('The sealed value was changed, or belongs to another place.', { cause: error });
      }
    },

    isCurrent: (sealed) => sealed.startsWith(`${FORMAT}.${current.id}.`),
  };
}
