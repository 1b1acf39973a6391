import { encodeId, storableText } from '@millwright/db';
import { EgressError, type EgressAnswer, type EgressFailure, type EgressRequest } from '@millwright/egress';
import { SecretUnreadable, type SecretBox } from '@millwright/secrets';
import type { Answer, Claim, Receiver } from './deliveries.store.js';
import { signedHeaders } from './signatures.js';
import { openSecret } from './webhook-secrets.js';

/** Time limit of an attempt, including the answer. */
const TIMEOUT_MS = 10_000;
/** Maximum number of bytes read from an answer. */
const MOST_ANSWER_BYTES = 4_096;

/** One text for all refused addresses, so that the text reveals nothing about our network. */
const FAILURES: Readonly<Record<EgressFailure, string>> = {
  refused: 'The address may not be called, or it redirects.',
  unresolvable: 'The name of the address cannot be resolved.',
  busy: 'Too many calls of this address at the same time.',
  timeout: 'No answer within 10 seconds.',
  too_large: 'The answer is too large.',
  network: 'The connection failed.',
};

/** Returns the body of a delivery. All attempts send the same bytes. */
export const bodyOf = ({ type, created_at, project, subject, seq, data }: Claim): string =>
  JSON.stringify({ type, timestamp: created_at.toISOString(), project, subject, sequence: Number(seq), data });

export interface AttemptOptions {
  request: EgressRequest;
  secrets: SecretBox;
  now?: () => number;
}

/** Posts one event to one webhook, signed as Standard Webhooks describes. A status from 200 to 299 means that the receiver accepted the event. */
export async function attempt(
  { request, secrets, now = Date.now }: AttemptOptions,
  receiver: Receiver,
  claim: Claim,
): Promise<Answer> {
  const sealed = [receiver.secret, ...(receiver.former_secret === null ? [] : [receiver.former_secret])];
  try {
    const keys = sealed.map((secret) => openSecret(secrets, receiver.id, secret));
    const body = bodyOf(claim);
    const headers = signedHeaders(keys, { id: encodeId('evt', claim.event_id), at: now(), body });
    const profile = { timeoutMs: TIMEOUT_MS, maxBytes: Number.MAX_SAFE_INTEGER };
    const share = `events ${receiver.project}`;
    const answer = await request(receiver.url, { method: 'POST', headers, body, kind: 'webhook', share, profile });
    return await toAnswer(answer);
  } catch (error) {
    if (error instanceof EgressError) return { status: null, error: FAILURES[error.kind], text: null };
    if (error instanceof SecretUnreadable)
      return { status: null, error: 'The secret cannot be read. Rotate it.', text: null };
    throw error;
  }
}

async function toAnswer(answer: EgressAnswer): Promise<Answer> {
  const text = await beginOf(answer);
  const { status } = answer;
  if (answer.ok) return { status, error: null, text };
  const seconds = Number(answer.headers.get('retry-after'));
  const retryAfterMs = seconds > 0 ? seconds * 1_000 : undefined;
  return { status, error: `The receiver answered ${status}.`, text, retryAfterMs };
}

/**
 * Returns the start of the answer's text. An answer that breaks off is not a failure, because only the status decides
 * whether the event was delivered.
 */
async function beginOf({ body }: EgressAnswer): Promise<string | null> {
  if (!body) return null;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes >= MOST_ANSWER_BYTES) break;
    }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
  } finally {
    await body.cancel();
  }
  const text = Buffer.concat(chunks).subarray(0, MOST_ANSWER_BYTES).toString();
  return storableText(text);
}
