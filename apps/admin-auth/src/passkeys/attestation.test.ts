import { createPrivateKey, sign, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import 'reflect-metadata'; // required by @peculiar/x509
import * as x509 from '@peculiar/x509';
import { issueSetupToken } from '@millwright/accounts';
import { encodeId } from '@millwright/db';
import { createPasskey, createTestDatabase, type TestDatabase, type TestPasskeyOptions } from '@millwright/testing';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { startConsole, type TestConsole } from '../test-console.js';
import { browser, enrol } from '../test-sign-in.js';
import { loadAttestationPolicy } from './attestation.js';
import { tpmAttesting, type TpmLies } from './test-tpm.js';

const MODEL = 'f8a011f3-8c0a-4d15-8006-17111f9edc7d';
const OTHER_MODEL = '2fc0579f-8113-47ea-b116-bb5a8db9202a';
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

interface Issued {
  certificate: x509.X509Certificate;
  keys: CryptoKeyPair;
}

const newKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

/** Issues a certificate under `issuer`, or a self-signed certificate. */
async function certify(
  name: string,
  { issuer, ca = true, days = [-1, 30] }: { issuer?: Issued; ca?: boolean; days?: [number, number] } = {},
): Promise<Issued> {
  const keys = await newKeys();
  const subject = `C=SE, O=Maker, ${ca ? '' : 'OU=Authenticator Attestation, '}CN=${name}`;
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: '01',
    ...{ subject, issuer: issuer?.certificate.subject ?? subject },
    notBefore: new Date(Date.now() + days[0] * DAY_MS),
    notAfter: new Date(Date.now() + days[1] * DAY_MS),
    signingKey: (issuer ?? { keys }).keys.privateKey,
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    extensions: [new x509.BasicConstraintsExtension(ca, undefined, true)],
  });
  return { certificate, keys };
}

const der = ({ certificate }: Issued) => new Uint8Array(certificate.rawData);

/** Makes attestation statements of the format `packed`, signed with the key of the first certificate. */
async function attesting(...chain: [Issued, ...Issued[]]): Promise<TestPasskeyOptions['attest']> {
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', chain[0].keys.privateKey));
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  return (signed) => {
    const statement = new Map<string, unknown>([
      ['alg', -7],
      ['sig', new Uint8Array(sign('sha256', signed, key))],
      ['x5c', chain.map(der)],
    ]);
    return { format: 'packed', statement: isoCBOR.encode(statement as Parameters<typeof isoCBOR.encode>[0]) };
  };
}

let root: Issued;
let stranger: Issued;
let database: TestDatabase;
let site: TestConsole;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-attestation-'));
  [root, stranger] = [await certify('Root'), await certify('Stranger')];
  const file = join(folder, 'roots.pem');
  writeFileSync(
    file,
    `${(await certify('Another')).certificate.toString('pem')}\n${root.certificate.toString('pem')}\n`,
  );
  database = await createTestDatabase();
  const attestation = await loadAttestationPolicy({ PASSKEY_AAGUIDS: [MODEL], PASSKEY_ROOTS_FILE: file });
  site = await startConsole(database.url, { attestation });
});
afterAll(async () => {
  await site.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

let count = 0;
async function enrolled(options: TestPasskeyOptions, at = site) {
  const email = `person-${(count += 1)}@example.com`;
  const user = await at.addUser({ email });
  const actor = { userId: user.id, kind: 'user', label: user.name } as const;
  const { token } = await at.db.transaction((tx) => issueSetupToken(tx, email, actor));
  const answer = await enrol(browser(at.url).next, createPasskey(at.url, options), token);
  const passkeys = await at.db.prisma.passkey.findMany({ where: { user_id: user.id } });
  return { user, answer, aaguids: passkeys.map(({ aaguid }) => aaguid) };
}

describe('PASSKEY_AAGUIDS', () => {
  it('admits a passkey of a listed model that its manufacturer attests, directly or through an intermediate authority', async () => {
    const leaf = await certify('Key', { issuer: root, ca: false });
    expect(await enrolled({ aaguid: MODEL, attest: await attesting(leaf) })).toMatchObject({
      ...{ answer: { status: 201 }, aaguids: [MODEL] },
    });
    const between = await certify('Between', { issuer: root });
    const attest = await attesting(await certify('Key', { issuer: between, ca: false }), between);
    expect(await enrolled({ aaguid: MODEL, attest })).toMatchObject({ answer: { status: 201 } });
  });

  it.each<[string, () => Promise<TestPasskeyOptions>]>([
    ['a passkey without attestation', () => Promise.resolve({ aaguid: MODEL })],
    [
      'another model of the same maker',
      async () => ({ aaguid: OTHER_MODEL, attest: await attesting(await certify('Key', { issuer: root, ca: false })) }),
    ],
    [
      'a model that attests itself',
      async () => {
        const leaf = await certify('Key', { ca: false });
        return { aaguid: MODEL, attest: await attesting(leaf) };
      },
    ],
    [
      'a maker that is not listed',
      async () => ({ aaguid: MODEL, attest: await attesting(await certify('Key', { issuer: stranger, ca: false })) }),
    ],
    [
      'a certificate under one that is no authority',
      async () => {
        const leaf = await certify('Key', { issuer: root, ca: false });
        const forged = await certify('Key', { issuer: leaf, ca: false });
        return { aaguid: MODEL, attest: await attesting(forged, leaf) };
      },
    ],
    [
      'an authority that has expired',
      async () => {
        const between = await certify('Between', { issuer: root, days: [-30, -1] });
        return {
          aaguid: MODEL,
          attest: await attesting(await certify('Key', { issuer: between, ca: false }), between),
        };
      },
    ],
    [
      'a chain whose links do not belong together',
      async () => {
        const between = await certify('Between', { issuer: root });
        return {
          aaguid: MODEL,
          attest: await attesting(await certify('Key', { issuer: stranger, ca: false }), between),
        };
      },
    ],
  ])('refuses a new passkey and records the refusal: %s', async (_case, optionsOf) => {
    const { user, answer, aaguids } = await enrolled(await optionsOf());
    expect([answer.status, answer.body, aaguids]).toMatchObject([403, { error: { code: 'passkey_not_allowed' } }, []]);
    const where = { action: 'passkey.create', resource: encodeId('usr', user.id), decision: 'deny' };
    expect(await site.db.prisma.governanceDecision.findMany({ where })).toMatchObject([
      { reason: 'authenticator not listed or not attested' },
    ]);
  });

  it('refuses an attestation statement that is not signed with the key of its certificate', async () => {
    const leaf = await certify('Key', { issuer: root, ca: false });
    const attest = await attesting({ ...leaf, keys: await newKeys() });
    const { answer, aaguids } = await enrolled({ aaguid: MODEL, attest });
    expect([answer.status, aaguids]).toEqual([403, []]);
  });
});

describe('PASSKEY_AAGUIDS, for a passkey that a TPM attests', () => {
  it('admits a passkey of a listed model when the manufacturer certifies the attestation key', async () => {
    const passkey = await enrolled({ aaguid: MODEL, attest: await tpmAttesting(root) });
    expect(passkey).toMatchObject({ answer: { status: 201 }, aaguids: [MODEL] });
  });

  it.each<[string, () => Promise<TestPasskeyOptions>]>([
    ['another model', async () => ({ aaguid: OTHER_MODEL, attest: await tpmAttesting(root) })],
    ['a maker that is not listed', async () => ({ aaguid: MODEL, attest: await tpmAttesting(stranger) })],
  ])('refuses a new passkey: %s', async (_case, optionsOf) => {
    const { answer, aaguids } = await enrolled(await optionsOf());
    expect([answer.status, answer.body, aaguids]).toMatchObject([403, { error: { code: 'passkey_not_allowed' } }, []]);
  });

  it.each<[string, TpmLies]>([
    ['of another key', { otherKey: true }],
    ['of other data', { otherData: true }],
    ['with a name of another public area', { otherName: true }],
    ['signed by another key than the certificate has', { otherSigner: true }],
    ['by a certificate for another usage', { otherUsage: true }],
  ])('refuses an attestation statement %s', async (_case, lies) => {
    const { answer, aaguids } = await enrolled({ aaguid: MODEL, attest: await tpmAttesting(root, lies) });
    expect([answer.status, aaguids]).toEqual([403, []]);
  });
});

describe('a new passkey', () => {
  it.each(['android-key', 'android-safetynet', 'apple', 'fido-u2f', 'compound'])(
    'is refused when its attestation has the format %s, which the server did not request',
    async (format) => {
      const statement = isoCBOR.encode(new Map([['x5c', [der(root)]]]));
      const { answer } = await enrolled({ aaguid: MODEL, attest: () => ({ format, statement }) });
      expect([answer.status, answer.body]).toMatchObject([403, { error: { code: 'forbidden' } }]);
    },
  );
});

describe('PASSKEY_ROOTS_FILE', () => {
  it('must name a file that contains certificates', async () => {
    const empty = join(folder, 'empty.pem');
    writeFileSync(empty, 'no certificate');
    for (const PASSKEY_ROOTS_FILE of [empty, join(folder, 'missing.pem')])
      await expect(loadAttestationPolicy({ PASSKEY_AAGUIDS: [MODEL], PASSKEY_ROOTS_FILE })).rejects.toThrow(
        'PASSKEY_ROOTS_FILE',
      );
    expect(new X509Certificate(root.certificate.toString('pem')).ca).toBe(true);
  });
});
