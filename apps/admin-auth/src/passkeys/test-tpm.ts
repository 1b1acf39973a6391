import { createHash, createPrivateKey, sign } from 'node:crypto';
import 'reflect-metadata'; // required by @peculiar/x509
import * as x509 from '@peculiar/x509';
import type { TestPasskeyOptions } from '@millwright/testing';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** FIDO's manufacturer id for tests; real manufacturer ids are in TCG's vendor registry. */
const MANUFACTURER = '2.23.133.2.1=id:FFFFF1D0, 2.23.133.2.2=Model, 2.23.133.2.3=id:13';
const AIK_CERTIFICATE = '2.23.133.8.3';

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
const u16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);
/** Encodes a TPM2B structure: length, then bytes. */
const sized = (bytes: Uint8Array) => Buffer.concat([u16(bytes.length), bytes]);

const TPM = { ecc: 0x0023, sha256: 0x000b, none: 0x0010, p256: 0x0003, attestCertify: 0x8017 } as const;

/** Faults that a test can put into the statement. */
export interface TpmLies {
  /** Whether the public area contains another key than the passkey's. */
  otherKey?: boolean;
  /** Whether the TPM certifies other data than the passkey's. */
  otherData?: boolean;
  /** Whether the name does not match the public area. */
  otherName?: boolean;
  /** Whether another key than the certificate's signs the statement. */
  otherSigner?: boolean;
  /** Whether the certificate lacks the key usage for attestation keys. */
  otherUsage?: boolean;
}

/** Creates a statement in the format `tpm` (WebAuthn §8.3), like Windows Hello; `issuer` certifies the attestation key. */
export async function tpmAttesting(
  issuer: { certificate: x509.X509Certificate; keys: CryptoKeyPair },
  lies: TpmLies = {},
): Promise<NonNullable<TestPasskeyOptions['attest']>> {
  const newKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    ...{ serialNumber: '01', subject: '', issuer: issuer.certificate.subject },
    ...{ notBefore: new Date(Date.now() - 86_400_000), notAfter: new Date(Date.now() + 86_400_000) },
    ...{ signingKey: issuer.keys.privateKey, signingAlgorithm: ALGORITHM, publicKey: keys.publicKey },
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.SubjectAlternativeNameExtension([{ type: 'dn', value: MANUFACTURER }], true),
      new x509.ExtendedKeyUsageExtension([lies.otherUsage ? '1.3.6.1.5.5.7.3.1' : AIK_CERTIFICATE]),
    ],
  });
  const signer = lies.otherSigner ? await newKeys() : keys;
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', signer.privateKey));
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });

  return (signed) => {
    // The authenticator data end with the COSE key: x and y, three bytes before each; then comes the hash of the client data.
    const [x, y] = [signed.subarray(-99, -67), signed.subarray(-64, -32)];
    const parameters = [u16(TPM.none), u16(TPM.none), u16(TPM.p256), u16(TPM.none)];
    const unique = lies.otherKey ? [sized(y), sized(x)] : [sized(x), sized(y)];
    const pubArea = Buffer.concat([
      ...[u16(TPM.ecc), u16(TPM.sha256), Buffer.from('00060472', 'hex'), sized(Buffer.alloc(0))],
      ...parameters,
      ...unique,
    ]);
    const name = Buffer.concat([u16(TPM.sha256), lies.otherName ? sha256(x) : sha256(pubArea)]);
    const certInfo = Buffer.concat([
      ...[Buffer.from('ff544347', 'hex'), u16(TPM.attestCertify), sized(Buffer.alloc(0))],
      sized(lies.otherData ? sha256(x) : sha256(signed)),
      Buffer.alloc(17 + 8), // clock and firmware version
      ...[sized(name), sized(Buffer.alloc(0))],
    ]);
    const statement = new Map<string, unknown>([
      ...([
        ['ver', '2.0'],
        ['alg', -7],
        ['x5c', [new Uint8Array(certificate.rawData)]],
      ] as const),
      ...([
        ['sig', new Uint8Array(sign('sha256', certInfo, key))],
        ['certInfo', new Uint8Array(certInfo)],
      ] as const),
      ['pubArea', new Uint8Array(pubArea)],
    ]);
    return { format: 'tpm', statement: isoCBOR.encode(statement as Parameters<typeof isoCBOR.encode>[0]) };
  };
}
