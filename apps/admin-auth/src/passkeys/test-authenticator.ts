import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { NewPasskey } from './passkeys.store.js';

/** A WebAuthn authenticator in software for tests, with one ES256 credential. */
export interface TestAuthenticator {
  passkey: NewPasskey;
  /** Returns the answer to the challenge of a sign-in (WebAuthn §7.2) at the site with this origin. */
  answer: (challenge: string, origin: string) => object;
}

export function createTestAuthenticator(userHandle: Uint8Array): TestAuthenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  // COSE_Key of EC2, ES256, P-256 (RFC 9053 §2.1, §7.1).
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
  const id = randomBytes(16).toString('base64url');
  const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
  return {
    passkey: {
      credential: { id, publicKey: new Uint8Array(cose), counter: 0, transports: ['internal'] },
      deviceType: 'singleDevice',
      backedUp: false,
      aaguid: '00000000-0000-0000-0000-000000000000',
      name: 'test',
    },
    answer: (challenge, origin) => {
      const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }));
      // Authenticator data: user present and verified, counter 0.
      const data = Buffer.concat([sha256(new URL(origin).hostname), Buffer.from('0500000000', 'hex')]);
      const response = {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey).toString('base64url'),
        userHandle: Buffer.from(userHandle).toString('base64url'),
      };
      return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
    },
  };
}
