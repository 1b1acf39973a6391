import { newId } from '@millwright/db';
import type { EgressFetch } from '@millwright/egress';
import { signedHeaders } from './signatures.js';

export interface WebhookOptions {
  url: string;
  /** Secret of the webhook: `whsec_` and the key in base64. */
  secret: string;
  fetch: EgressFetch;
  now?: () => number;
}

/** Sends a message. Rejects when the receiver does not accept it. */
export type PostWebhook = (type: string, data: object) => Promise<void>;

/** Sends signed posts (Standard Webhooks) to an address from the operator's settings, immediately and without retries. */
export function createWebhook({ url, secret, fetch, now = Date.now }: WebhookOptions): PostWebhook {
  return async (type, data) => {
    const at = now();
    const body = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
    const headers = signedHeaders([secret], { id: `msg_${newId()}`, at, body });
    const answer = await fetch(url, { method: 'POST', headers, body, kind: 'webhook' });
    await answer.body?.cancel();
    if (!answer.ok) throw Object.assign(new Error('the webhook refused the message'), { status: answer.status });
  };
}
