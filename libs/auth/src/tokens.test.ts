import { createHmac, createPublicKey, generateKeyPairSync, sign as signBytes, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { createTokenSigner, createTokenVerifier, type NewToken } from './index.js';
import { type SigningKey } from './signing-keys.js';

const ISSUER = 'http://runtime.test';
const newPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { privateKey, publicKey } = newPair();
const stranger = newPair();
const key: SigningKey = { kid: 'ours', privateKey, publicJwk: publicKey.export({ format: 'jwk' }) };
const findKey = (kid: string) => Promise.resolve(kid === 'ours' ? publicKey : undefined);
const verify = createTokenVerifier({ issuer: ISSUER, audience: ISSUER, findKey });
const sign = createTokenSigner(key);
const wanted: NewToken = {
  issuer: ISSUER,
  subject: 'u',
  audience: ISSUER,
  scope: 'skills:read',
  sid: 'g',
  clientId: 'c',
  expiresIn: 3_600,
};

describe('createTokenSigner and createTokenVerifier', () => {
  it('sign the claims of RFC 9068 and the id of the grant with ES256, in a token of the type at+jwt', async () => {
    const token = sign(wanted);
    expect(jwt.decode(token, { complete: true })?.header).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: 'ours' });
    const claims = await verify(token);
    expect(claims).toEqual({
      iss: ISSUER,
      sub: 'u',
      aud: ISSUER,
      scope: 'skills:read',
      sid: 'g',
      client_id: 'c',
      iat: expect.any(Number) as number,
      exp: (claims?.iat ?? 0) + 3_600,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
    expect(await verify(token)).toEqual(claims);
  });

  it('sign a different token each time', () => {
    expect(jwt.decode(sign(wanted))).not.toMatchObject({ jti: (jwt.decode(sign(wanted)) as { jti: string }).jti });
  });

  it('accept a token with several audiences, of which one is the required audience', async () => {
    expect(await verify(sign({ ...wanted, audience: ['http://other.test', ISSUER] }))).toBeDefined();
  });

  it('refuse a token once its expiry is reached, also after an earlier verification', async () => {
    let seconds = Math.floor(Date.now() / 1_000);
    const at = createTokenVerifier({ issuer: ISSUER, audience: ISSUER, findKey, now: () => seconds * 1_000 });
    const token = sign({ ...wanted, expiresIn: 60 });
    seconds += 58;
    expect(await at(token)).toBeDefined();
    seconds += 5;
    expect(await at(token)).toBeUndefined();
    expect(await at(token)).toBeUndefined();
  });

  it('refuse a token whose key was retired, also after an earlier verification', async () => {
    let live: KeyObject | undefined = publicKey;
    const at = createTokenVerifier({ issuer: ISSUER, audience: ISSUER, findKey: () => Promise.resolve(live) });
    const token = sign(wanted);
    expect(await at(token)).toBeDefined();
    live = undefined;
    expect(await at(token)).toBeUndefined();
    expect(await at(sign(wanted))).toBeUndefined();
  });

  it('reject with an error while the keys cannot be read', async () => {
    const away = createTokenVerifier({
      issuer: ISSUER,
      audience: ISSUER,
      findKey: () => Promise.reject(new Error('away')),
    });
    await expect(away(sign(wanted))).rejects.toThrow('away');
  });

  it('refuse a token for another service', async () => {
    const other = createTokenVerifier({ issuer: ISSUER, audience: 'http://prompt.test', findKey });
    expect(await other(sign(wanted))).toBeUndefined();
  });
});

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const now = Math.floor(Date.now() / 1_000);
const HEADER = { alg: 'ES256', typ: 'at+jwt', kid: 'ours' };
const CLAIMS = { iss: ISSUER, sub: 'u', aud: ISSUER, scope: 'admin', sid: 'g', iat: now, exp: now + 3_600, jti: 'j' };
const without = (claim: keyof typeof CLAIMS) =>
  Object.fromEntries(Object.entries(CLAIMS).filter(([name]) => name !== claim));

/** Returns a token with a real signature. The signing key is ours unless another key is given. */
function signed(header: unknown, claims: unknown, by: KeyObject = privateKey): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${signBytes('sha256', Buffer.from(input), { key: by, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}
function hmac(header: object, secret: string | Buffer, algorithm = 'sha256'): string {
  const input = `${encode(header)}.${encode(CLAIMS)}`;
  return `${input}.${createHmac(algorithm, secret).update(input).digest('base64url')}`;
}

const pem = publicKey.export({ type: 'spki', format: 'pem' });
const der = publicKey.export({ type: 'spki', format: 'der' });
const strangerJwk = createPublicKey(stranger.privateKey).export({ format: 'jwk' });
const good = signed(HEADER, CLAIMS);
const [head = '', body = '', signature = ''] = good.split('.');
const raw = Buffer.from(signature, 'base64url');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const rsaSigned = (alg: string, hash: string) => {
  const input = `${encode({ ...HEADER, alg })}.${encode(CLAIMS)}`;
  return `${input}.${signBytes(hash, Buffer.from(input), rsa.privateKey).toString('base64url')}`;
};
const derSigned = signBytes('sha256', Buffer.from(`${head}.${body}`), privateKey).toString('base64url');

const FORGED: Record<string, string> = {
  // Tokens without a signature.
  'alg none': `${encode({ ...HEADER, alg: 'none' })}.${body}.`,
  'alg None': `${encode({ ...HEADER, alg: 'None' })}.${body}.`,
  'alg NONE': `${encode({ ...HEADER, alg: 'NONE' })}.${body}.`,
  'alg nOnE with our signature': `${encode({ ...HEADER, alg: 'nOnE' })}.${body}.${signature}`,
  'alg none without a last dot': `${encode({ ...HEADER, alg: 'none' })}.${body}`,
  'no signature under ES256': `${head}.${body}.`,
  'no alg': signed({ typ: 'at+jwt', kid: 'ours' }, CLAIMS),
  'alg empty': signed({ ...HEADER, alg: '' }, CLAIMS),
  'alg null': signed({ ...HEADER, alg: null }, CLAIMS),
  'alg a list': signed({ ...HEADER, alg: ['ES256'] }, CLAIMS),
  'alg es256': signed({ ...HEADER, alg: 'es256' }, CLAIMS),
  // Tokens with another algorithm.
  'HS256 with the public key (PEM)': hmac({ ...HEADER, alg: 'HS256' }, pem),
  'HS256 with the public key (PEM, trimmed)': hmac({ ...HEADER, alg: 'HS256' }, String(pem).trim()),
  'HS256 with the public key (DER)': hmac({ ...HEADER, alg: 'HS256' }, der),
  'HS256 with the public JWK': hmac({ ...HEADER, alg: 'HS256' }, JSON.stringify(key.publicJwk)),
  'HS256 with an empty secret': hmac({ ...HEADER, alg: 'HS256' }, ''),
  'HS256 with the kid': hmac({ ...HEADER, alg: 'HS256' }, 'ours'),
  'HS384 with the public key': hmac({ ...HEADER, alg: 'HS384' }, pem, 'sha384'),
  'HS512 with the public key': hmac({ ...HEADER, alg: 'HS512' }, pem, 'sha512'),
  'HS256 by its signature, ES256 by its name': hmac(HEADER, pem),
  RS256: rsaSigned('RS256', 'sha256'),
  'RS256 by its signature, ES256 by its name': rsaSigned('ES256', 'sha256'),
  PS256: rsaSigned('PS256', 'sha256'),
  'ES384 by its name': signed({ ...HEADER, alg: 'ES384' }, CLAIMS),
  'ES256K by its name': signed({ ...HEADER, alg: 'ES256K' }, CLAIMS),
  EdDSA: signed({ ...HEADER, alg: 'EdDSA' }, CLAIMS),
  // Tokens of another key.
  "a stranger's key under our kid": signed(HEADER, CLAIMS, stranger.privateKey),
  "a stranger's kid": signed({ ...HEADER, kid: 'theirs' }, CLAIMS, stranger.privateKey),
  "our key under a stranger's kid": signed({ ...HEADER, kid: 'theirs' }, CLAIMS),
  'no kid': signed({ alg: 'ES256', typ: 'at+jwt' }, CLAIMS),
  'kid empty': signed({ ...HEADER, kid: '' }, CLAIMS),
  'kid a number': signed({ ...HEADER, kid: 1 }, CLAIMS),
  'kid a list': signed({ ...HEADER, kid: ['ours'] }, CLAIMS),
  'kid an object': signed({ ...HEADER, kid: { toString: 'ours' } }, CLAIMS),
  'kid with SQL': signed({ ...HEADER, kid: "x' OR '1'='1" }, CLAIMS, stranger.privateKey),
  'kid a path': signed({ ...HEADER, kid: '../../../dev/null' }, CLAIMS, stranger.privateKey),
  'kid __proto__': signed({ ...HEADER, kid: '__proto__' }, CLAIMS, stranger.privateKey),
  'kid of another case': signed({ ...HEADER, kid: 'OURS' }, CLAIMS),
  'a key of its own in jwk': signed({ ...HEADER, jwk: strangerJwk }, CLAIMS, stranger.privateKey),
  'a key of its own in jwk, no kid': signed(
    { alg: 'ES256', typ: 'at+jwt', jwk: strangerJwk },
    CLAIMS,
    stranger.privateKey,
  ),
  'a key of its own behind jku': signed({ ...HEADER, jku: 'https://evil.test/jwks.json' }, CLAIMS, stranger.privateKey),
  'a key of its own behind x5u': signed({ ...HEADER, x5u: 'https://evil.test/cert.pem' }, CLAIMS, stranger.privateKey),
  'a key of its own in x5c': signed(
    { ...HEADER, x5c: [stranger.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')] },
    CLAIMS,
    stranger.privateKey,
  ),
  'a header that must be understood': signed({ ...HEADER, crit: ['exp'] }, CLAIMS),
  // Tokens that were made for another purpose.
  'typ JWT': signed({ ...HEADER, typ: 'JWT' }, CLAIMS),
  'no typ': signed({ alg: 'ES256', kid: 'ours' }, CLAIMS),
  'typ dpop+jwt': signed({ ...HEADER, typ: 'dpop+jwt' }, CLAIMS),
  'typ id_token': signed({ ...HEADER, typ: 'id_token+jwt' }, CLAIMS),
  // Tokens with other claims under a valid signature.
  'another issuer': signed(HEADER, { ...CLAIMS, iss: 'http://evil.test' }),
  'our issuer with a slash': signed(HEADER, { ...CLAIMS, iss: `${ISSUER}/` }),
  'an issuer that begins like ours': signed(HEADER, { ...CLAIMS, iss: `${ISSUER}.evil.test` }),
  'no issuer': signed(HEADER, without('iss')),
  'another audience': signed(HEADER, { ...CLAIMS, aud: 'http://prompt.test' }),
  'audiences without ours': signed(HEADER, { ...CLAIMS, aud: ['http://prompt.test', `${ISSUER}/`] }),
  'an empty list of audiences': signed(HEADER, { ...CLAIMS, aud: [] }),
  'no audience': signed(HEADER, without('aud')),
  'an audience that is an object': signed(HEADER, { ...CLAIMS, aud: { [ISSUER]: true } }),
  expired: signed(HEADER, { ...CLAIMS, exp: now - 1 }),
  'expired long ago': signed(HEADER, { ...CLAIMS, iat: 0, exp: 1 }),
  'no expiry': signed(HEADER, without('exp')),
  'expiry a text': signed(HEADER, { ...CLAIMS, exp: '9999999999' }),
  'expiry null': signed(HEADER, { ...CLAIMS, exp: null }),
  'not yet': signed(HEADER, { ...CLAIMS, nbf: now + 600 }),
  'not-before a text': signed(HEADER, { ...CLAIMS, nbf: 'now' }),
  'no subject': signed(HEADER, without('sub')),
  'subject a number': signed(HEADER, { ...CLAIMS, sub: 1 }),
  'no grant': signed(HEADER, without('sid')),
  'grant a list': signed(HEADER, { ...CLAIMS, sid: ['g'] }),
  'no scope': signed(HEADER, without('scope')),
  'scope a list': signed(HEADER, { ...CLAIMS, scope: ['admin'] }),
  'no id': signed(HEADER, without('jti')),
  'no time of issue': signed(HEADER, without('iat')),
  'claims a list': signed(HEADER, [CLAIMS]),
  'claims a text': signed(HEADER, '"text"'),
  'claims null': signed(HEADER, 'null'),
  'claims not JSON': signed(HEADER, 'not json'),
  'claims not JSON, typ JWT': signed({ ...HEADER, typ: 'JWT' }, 'not json'),
  'header not JSON': signed('not json', CLAIMS),
  'header null': signed('null', CLAIMS),
  'header a list': signed([HEADER], CLAIMS),
  // Tokens that were changed, and texts that are not tokens.
  'claims exchanged': `${head}.${encode({ ...CLAIMS, sub: 'someone else' })}.${signature}`,
  'header exchanged': `${encode({ ...HEADER, extra: 1 })}.${body}.${signature}`,
  'signature of another token': `${head}.${body}.${signed(HEADER, { ...CLAIMS, jti: 'k' }).split('.')[2] ?? ''}`,
  'signature in DER form': `${head}.${body}.${derSigned}`,
  'signature of zeros (CVE-2022-21449)': `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`,
  'halves of the signature exchanged': `${head}.${body}.${Buffer.concat([raw.subarray(32), raw.subarray(0, 32)]).toString('base64url')}`,
  'signature with a byte more': `${head}.${body}.${Buffer.concat([raw, Buffer.from([0])]).toString('base64url')}`,
  'signature a byte short': `${head}.${body}.${raw.subarray(1).toString('base64url')}`,
  'signature padded': `${good}==`,
  'signature in plain base64': `${head}.${body}.${raw.toString('base64')}=`,
  'a fourth part': `${good}.${signature}`,
  'five parts, like an encrypted one': `${head}.${body}.${signature}.x.y`,
  'two parts': `${head}.${body}`,
  'one part': head,
  'the last character missing': good.slice(0, -1),
  'the first half of the token': good.slice(0, good.length / 2),
  'a blank before': ` ${good}`,
  'a line end after': `${good}\n`,
  'dots alone': '..',
  'an empty text': '',
  'not a token': 'mw_live_000000000000_0000000000000000000000000000000000000000000000000',
  'JSON serialization': JSON.stringify({ protected: head, payload: body, signature }),
  'a megabyte': `${head}.${'A'.repeat(1_048_576)}.${signature}`,
};

describe('forged token', () => {
  it('is made from a token that is valid', async () => expect(await verify(good)).toBeDefined());

  it.each(Object.entries(FORGED))('is refused: %s', async (_case, token) =>
    expect(await verify(token)).toBeUndefined(),
  );

  it('is refused when it differs from a valid token in any one character', async () => {
    for (let at = 0; at < good.length; at += 1) {
      const other = good[at] === 'A' ? 'B' : 'A';
      expect(await verify(good.slice(0, at) + other + good.slice(at + 1))).toBeUndefined();
    }
  });

  it('is refused again when it is sent a second time', async () => {
    const forged = signed(HEADER, CLAIMS, stranger.privateKey);
    for (let n = 0; n < 3; n++) expect(await verify(forged)).toBeUndefined();
  });
});
