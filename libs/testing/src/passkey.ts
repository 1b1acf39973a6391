import { createHash, generateKeyPairSync, randomBytes, sign, type JsonWebKey } from 'node:crypto';

/** Options of `navigator.credentials.create`, as JSON. */
export interface CreationOptions {
  challenge: string;
  rp: { id?: string | undefined };
  user: { id: string };
}

/** Options of `navigator.credentials.get`, as JSON. */
export interface RequestOptions {
  challenge: string;
}

/** The false values of an answer. A value that is omitted here is correct in the answer. */
export interface Lies {
  origin?: string;
  rpId?: string;
  challenge?: string;
  /** A wrong value of `type`: `webauthn.get` when a passkey is created, or `webauthn.create` at a sign-in. */
  type?: string;
  userVerified?: boolean;
  userPresent?: boolean;
  counter?: number;
  userHandle?: string;
  /** The id of another passkey, which the answer names although this passkey has signed it. */
  id?: string;
}

export interface TestPasskey {
  id: string;
  /** Signature counter, which increases before each signature. */
  counter: number;
  /** The answer of `navigator.credentials.create`, as JSON. */
  create: (options: CreationOptions, lies?: Lies) => Record<string, unknown> & { id: string };
  /** The answer of `navigator.credentials.get`, as JSON. */
  get: (options: RequestOptions, lies?: Lies) => Record<string, unknown> & { id: string };
}

/** An attestation: a statement of the authenticator's manufacturer about a new passkey (WebAuthn §6.5). */
export interface TestAttestation {
  format: string;
  /** The statement in CBOR. */
  statement: Uint8Array;
}

export interface TestPasskeyOptions {
  /** Whether the counter rises with each use. Default true. */
  counting?: boolean;
  /** The AAGUID, which identifies the model of the authenticator. Default: the answer identifies no model. */
  aaguid?: string;
  /** Attests a new passkey by signing these bytes. Default: the passkey is not attested. */
  attest?: (signed: Uint8Array) => TestAttestation;
}

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();
const uint = (bytes: number, value: number) => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};

/** A CBOR byte string of 24 to 255 bytes in its shortest form (RFC 8949 §4.2.1). Verifiers compare it byte by byte. */
const byteString = (bytes: Uint8Array) => Buffer.concat([Buffer.from([0x58, bytes.length]), bytes]);
/** Encodes a text of fewer than 24 bytes in CBOR. */
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);

/** COSE key of ES256 on P-256 (RFC 9053 §2.1, §7.1.1). */
function coseKey({ x = '', y = '' }: JsonWebKey): Buffer {
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]);
  const part = (label: number, value: string) =>
    Buffer.concat([Buffer.from([label]), byteString(Buffer.from(value, 'base64url'))]);
  return Buffer.concat([head, part(0x21, x), part(0x22, y)]);
}

const FLAGS = { userPresent: 0x01, userVerified: 0x04, attested: 0x40 };

/**
 * A passkey in software: an ES256 authenticator that signs for a browser at `origin` (WebAuthn §6.3). Its answers have the false values
 * that a test requests. Its counter rises with each use. With `counting: false` it is a synced passkey, whose counter stays at 0.
 */
export function createPasskey(
  origin: string,
  { counting = true, aaguid = '', attest }: TestPasskeyOptions = {},
): TestPasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rawId = randomBytes(32);
  const home = new URL(origin).hostname;
  let userHandle = '';

  const clientData = (type: string, challenge: string, lies: Lies) =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const authenticatorData = (lies: Lies, attested: Uint8Array = Buffer.alloc(0)) => {
    const flags =
      (lies.userPresent === false ? 0 : FLAGS.userPresent) +
      (lies.userVerified === false ? 0 : FLAGS.userVerified) +
      (attested.length > 0 ? FLAGS.attested : 0);
    const counter = lies.counter ?? (counting ? ++passkey.counter : 0);
    return Buffer.concat([sha256(lies.rpId ?? home), Buffer.from([flags]), uint(4, counter), attested]);
  };
  const answer = (lies: Lies, response: object) => {
    const id = lies.id ?? base64url(rawId);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  };

  const passkey: TestPasskey = {
    id: base64url(rawId),
    counter: 0,
    create({ challenge, user }, lies = {}) {
      userHandle = user.id;
      const attested = Buffer.concat([
        aaguid === '' ? Buffer.alloc(16) : Buffer.from(aaguid.replaceAll('-', ''), 'hex'),
        uint(2, rawId.length),
        rawId,
        coseKey(publicKey.export({ format: 'jwk' })),
      ]);
      const client = clientData('webauthn.create', challenge, lies);
      const data = authenticatorData(lies, attested);
      const signed = Buffer.concat([data, sha256(client)]);
      const { format, statement } = attest?.(signed) ?? { format: 'none', statement: Buffer.from([0xa0]) };
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        ...[text('fmt'), text(format), text('attStmt'), statement],
        ...[text('authData'), byteString(data)],
      ]);
      return answer(lies, {
        clientDataJSON: base64url(client),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      });
    },
    get({ challenge }, lies = {}) {
      const client = clientData('webauthn.get', challenge, lies);
      const data = authenticatorData(lies);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return answer(lies, {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle: lies.userHandle ?? userHandle,
      });
    },
  };
  return passkey;
}
