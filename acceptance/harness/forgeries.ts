import { createHmac, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

type Json = Record<string, unknown>;

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Json;

const NONE = ['none', 'None', 'NONE', 'nOnE', '', null, 0, false, [], ['none'], {}];
const ALGORITHMS = [
  'HS256',
  'HS384',
  'HS512',
  'RS256',
  'PS256',
  'ES384',
  'ES512',
  'EdDSA',
  'ES256K',
  'es256',
  'ES256 ',
];
const TYPES = ['JWT', 'jwt', 'AT+JWT', 'application/at+jwt', 'id+jwt', '', null, undefined, 1, ['at+jwt']];
const KIDS = [undefined, '', 'forged', '../../etc/passwd', "' OR 1=1 --", 'x'.repeat(201), 0, null, ['kid'], {}];
const CLAIMS = ['exp', 'iss', 'aud', 'sub', 'sid', 'scope', 'iat', 'jti'];
const AUDIENCES = ['x', 'https://evil.example', 'area:', 'gateway ', 'GATEWAY', '.*', '', null, [], ['x'], {}, 0];
const STRANGERS = ['', 'x', '../', '00000000-0000-7000-8000-000000000000', "' OR 1=1 --", '{}', 0, null, ['x']];
const LIVES = [1, 60, 3_600, 31_536_000];

/**
 * Makes forged copies of a valid token, each with a name of its fault. `key` is the key that signed the valid token. Some copies are signed with
 * this key too, as if an attacker could make the service sign them.
 */
export function forgeriesOf(good: string, key: KeyObject, boundTo: readonly ('sub' | 'sid')[]): [string, string][] {
  const [head = '', body = '', signature = ''] = good.split('.');
  const [header, claims] = [decode(head), decode(body)];
  const forger = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signed = (by: KeyObject, more: Json, changes: Json = {}) => {
    const text = `${encode({ ...header, ...more })}.${encode({ ...claims, ...changes })}`;
    return `${text}.${sign('sha256', Buffer.from(text), { key: by, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
  };
  const forged = (more: Json, changes?: Json) => signed(forger.privateKey, more, changes);
  const resigned = (more: Json, changes?: Json) => signed(key, more, changes);
  const restated = (more: Json, changes: Json = {}) =>
    `${encode({ ...header, ...more })}.${encode({ ...claims, ...changes })}.${signature}`;
  const flipped = (part: 0 | 1 | 2, byte: number) => {
    const parts = [head, body, signature];
    const bytes = Buffer.from(parts[part] ?? '', 'base64url');
    bytes[byte] = (bytes[byte] ?? 0) ^ 1;
    parts[part] = bytes.toString('base64url');
    return parts.join('.');
  };
  const publicKey = createPublicKey(key);
  const secrets = [
    publicKey.export({ format: 'pem', type: 'spki' }),
    String(publicKey.export({ format: 'pem', type: 'spki' })).trim(),
    publicKey.export({ format: 'der', type: 'spki' }),
    JSON.stringify(publicKey.export({ format: 'jwk' })),
    'secret',
  ];
  const byHmac = (secret: string | Buffer, bits: number) => {
    const text = `${encode({ ...header, alg: `HS${bits}` })}.${body}`;
    return `${text}.${createHmac(`sha${bits}`, secret).update(text).digest('base64url')}`;
  };
  const show = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 40));
  const now = Math.floor(Date.now() / 1_000);
  const jwk = { ...forger.publicKey.export({ format: 'jwk' }), kid: 'forged' };

  return [
    ...NONE.map((alg): [string, string] => [`alg ${show(alg)}, unsigned`, `${encode({ ...header, alg })}.${body}.`]),
    ...NONE.map((alg): [string, string] => [`alg ${show(alg)} over the good signature`, restated({ alg })]),
    ...ALGORITHMS.map((alg): [string, string] => [`alg ${alg} over the good signature`, restated({ alg })]),
    ...ALGORITHMS.map((alg): [string, string] => [`alg ${alg} over the forger's`, forged({ alg })]),
    ...secrets.flatMap((secret, n) =>
      [256, 384, 512].map((bits): [string, string] => [`HS${bits} with public key ${n}`, byHmac(secret, bits)]),
    ),
    ['the good kid over the forger’s signature', forged({})],
    ...KIDS.map((kid): [string, string] => [`kid ${show(kid)} of the forger`, forged({ kid })]),
    ...KIDS.map((kid): [string, string] => [`kid ${show(kid)} over the good key`, resigned({ kid })]),
    ...['jku', 'x5u'].map((name): [string, string] => [
      name,
      forged({ [name]: 'https://evil.example/k', kid: 'forged' }),
    ]),
    ['an embedded key', forged({ jwk, kid: 'forged' })],
    ['an embedded set of keys', forged({ jwks: { keys: [jwk] }, kid: 'forged' })],
    ['a critical extension', resigned({ crit: ['exp'] })],
    ...TYPES.map((typ): [string, string] => [`type ${show(typ)}`, resigned({ typ })]),
    ...CLAIMS.map((name): [string, string] => [`without ${name}`, resigned({}, { [name]: undefined })]),
    ...AUDIENCES.map((aud): [string, string] => [`audience ${show(aud)}`, resigned({}, { aud })]),
    ...boundTo.flatMap((claim) =>
      STRANGERS.map((other): [string, string] => [`${claim} ${show(other)}`, resigned({}, { [claim]: other })]),
    ),
    ...['x', 'https://evil.example', `${String(claims['iss'])}/`].map((iss): [string, string] => [
      `issuer ${iss}`,
      resigned({}, { iss }),
    ]),
    ...LIVES.map((ago): [string, string] => [`over for ${ago} s`, resigned({}, { exp: now - ago })]),
    ['begun in an hour', resigned({}, { nbf: now + 3_600 })],
    ...['exp', 'nbf', 'iat'].map((name): [string, string] => [
      `${name} as a text`,
      resigned({}, { [name]: '9999999999' }),
    ]),
    ['a longer life', restated({}, { exp: 9_999_999_999 })],
    ['another subject under the good signature', restated({}, { sub: '00000000-0000-7000-8000-000000000000' })],
    ...[0, 10, 40, 63].map((byte): [string, string] => [`signature, byte ${byte} turned`, flipped(2, byte)]),
    ...[0, 5, 20].map((byte): [string, string] => [`header, byte ${byte} turned`, flipped(0, byte)]),
    ...[0, 5, 50].map((byte): [string, string] => [`claims, byte ${byte} turned`, flipped(1, byte)]),
    ...[1, 2, 43, 85].map((n): [string, string] => [`${n} characters short`, good.slice(0, -n)]),
    ['no signature', `${head}.${body}`],
    ['an empty signature', `${head}.${body}.`],
    ['a signature of zeros', `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`],
    ['a part too many', `${good}.`],
    ['padding', `${good}==`],
    ['claims that are no object', `${head}.${encode('[]')}.${signature}`],
    ['a header that is no JSON', `${encode('{')}.${body}.${signature}`],
    ['dots', '..'],
  ];
}
