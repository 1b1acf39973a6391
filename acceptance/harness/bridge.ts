import { generateKeyPairSync, sign } from 'node:crypto';
import type { Browser } from './browser.js';

/** Links a device by a code and proves the device's key. The signed-in user needs a recent passkey proof. @returns a gateway token of the user */
export async function linkDevice({ get }: Browser): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { code } = await get<{ code: string }>('/admin/api/devices/code', { body: {} }, 201);
  const public_key = publicKey.export({ type: 'spki', format: 'pem' });
  const { pat } = await get<{ pat: string }>('/bridge-auth/session', {
    body: { code, device_name: 'test', public_key },
  });
  const { nonce } = await get<{ nonce: string }>('/bridge-auth/nonce', { body: { pat } });
  const signature = sign('sha256', Buffer.from(nonce), privateKey).toString('base64url');
  const token = await get<{ access_token: string }>('/bridge-auth/token', { body: { pat, nonce, signature } });
  return token.access_token;
}
