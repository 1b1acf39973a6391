import { createHmac } from 'node:crypto';
import { newId } from '@millwright/db';
import type { EgressFetch } from '@millwright/egress';

export interface WebhookOptions {
  url: string;
  /** `whsec_` and the key in base64. */
  secret: string;
  fetch: EgressFetch;
  now?: () => number;
}

/** Sends a message. Rejects when the receiver did not accept it. */
export type PostWebhook = (type: string, data: object) => Promise<void>;

/** Sends signed posts (Standard Webhooks): `v1,` and the HMAC-SHA-256 of id, time and body. */
export function createWebhook({ url, secret, fetch, now = Date.now }: WebhookOptions): PostWebhook {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return async (type, data) => {
    const at = now();
    const id = `msg_${newId()}`;
    const timestamp = String(Math.floor(at / 1_000));
    const body = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    };
    const answer = await fetch(url, { method: 'POST', headers, body, kind: 'webhook' });
    await answer.body?.cancel();
    if (!answer.ok) throw Object.assign(new Error('the webhook refused the message'), { status: answer.status });
  };
}
