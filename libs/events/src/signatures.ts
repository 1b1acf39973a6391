import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** Bytes of a new key. Standard Webhooks allows 24 to 64. */
const KEY_BYTES = 32;

/** Creates a new key of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export const newWebhookSecret = (): string => `${PREFIX}${randomBytes(KEY_BYTES).toString('base64')}`;

/** Whether a text is a key as Standard Webhooks defines it. */
export function isWebhookSecret(text: string): boolean {
  const encoded = text.slice(PREFIX.length);
  const bytes = Buffer.from(encoded, 'base64');
  return text.startsWith(PREFIX) && bytes.toString('base64') === encoded && bytes.length >= 24 && bytes.length <= 64;
}

export const WEBHOOK_SECRET_REASON = 'must be whsec_ and 24 to 64 bytes in base64';

export interface SignedMessage {
  /** Id of the message. All attempts of a delivery have the same id. */
  id: string;
  /** Time of the attempt, in milliseconds. */
  at: number;
  body: string;
}

/**
 * Returns the headers of a post as Standard Webhooks describes them, with one signature (`v1`, HMAC-SHA-256 of id, time
 * and body) for each key.
 */
export function signedHeaders(secrets: readonly string[], { id, at, body }: SignedMessage): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
