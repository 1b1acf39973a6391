import { generateKeyPairSync, sign } from 'node:crypto';
import { z } from 'zod';
import { CommandRefused } from '../command-refused.js';
import { readJson } from '../read-json.js';
import type { Credential } from './credential.js';

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 65_536;

const Redeemed = z.object({ pat: z.string(), device_certificate: z.string(), expires_at: z.string() });
const Nonce = z.object({ nonce: z.string() });
const Token = z.object({ access_token: z.string(), token_type: z.string(), expires_in: z.number() });
const Failure = z.object({ error: z.object({ message: z.string() }) });

export interface DeviceLink {
  code: string;
  verifier?: string;
}

/**
 * Creates a client of `/bridge-auth` at the console's address.
 * @throws CommandRefused when a token must not be sent to the address
 */
export function createBridgeClient(base: string) {
  const url = baseOf(base);

  async function post<Schema extends z.ZodType>(path: string, body: object, schema: Schema): Promise<z.output<Schema>> {
    try {
      const response = await fetch(`${url}/bridge-auth/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const answer = await readJson(response, MAX_BYTES);
      if (!response.ok)
        throw new CommandRefused(Failure.safeParse(answer).data?.error.message ?? `Answer ${response.status}.`);
      return schema.parse(answer);
    } catch (error) {
      throw error instanceof CommandRefused
        ? error
        : new CommandRefused(`${url} does not answer as expected.`, { kind: 'unreachable', cause: error });
    }
  }

  return {
    url,

    /** Creates a key for this machine and redeems the code for its credential. */
    async redeem({ code, verifier, deviceName }: DeviceLink & { deviceName: string }): Promise<Credential> {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const body = {
        code,
        ...(verifier !== undefined && { code_verifier: verifier }),
        device_name: deviceName,
        public_key: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      };
      const redeemed = await post('session', body, Redeemed);
      const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      return { url, private_key, ...redeemed };
    },

    /** Requests a gateway token with the credential and a proof of its key. */
    async mint({ pat, private_key }: Credential): Promise<z.output<typeof Token>> {
      const { nonce } = await post('nonce', { pat }, Nonce);
      const signature = sign('sha256', Buffer.from(nonce), private_key).toString('base64url');
      return post('token', { pat, nonce, signature }, Token);
    },
  };
}

function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url?.hostname ?? '');
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback);
  if (!url || !isSafe) throw new CommandRefused('--url must be https, or http on this machine.');
  return url.origin;
}
