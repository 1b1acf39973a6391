import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { LONGEST_KEY, type Signature } from '@millwright/runs/triggers';
import { z } from 'zod';

/** A post in the form in which it arrived. */
export interface ReceivedPost {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A post whose signature is valid, with the id by which duplicates are detected. */
export interface VerifiedPost {
  id: string;
}

/** Maximum difference in seconds between the time of a post and the server's clock. */
const WINDOW_SECONDS = 300;
/** Limit of signatures per post. A sender that rotates its key sends fewer signatures. */
const MOST_SIGNATURES = 10;
const STANDARD_PREFIX = 'whsec_';

const headerOf = ({ headers }: ReceivedPost, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};

const isInWindow = (seconds: string, now: number) =>
  /^\d{1,12}$/.test(seconds) && Math.abs(now / 1_000 - Number(seconds)) <= WINDOW_SECONDS;

/**
 * Compares in constant time. Every key is compared with every signature, so that the duration does not reveal which key or signature
 * matches.
 */
function isSigned(
  keys: readonly (string | Buffer)[],
  content: readonly (string | Buffer)[],
  signatures: readonly Buffer[],
): boolean {
  let found = false;
  for (const key of keys) {
    const hmac = createHmac('sha256', key);
    for (const part of content) hmac.update(part);
    const expected = hmac.digest();
    for (const signature of signatures.slice(0, MOST_SIGNATURES))
      found = (signature.length === expected.length && timingSafeEqual(signature, expected)) || found;
  }
  return found;
}

const digestOf = (...parts: (string | Buffer)[]) =>
  parts.reduce((digest, part) => digest.update(part), createHash('sha256')).digest('hex');

const isId = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= LONGEST_KEY && /^[\x21-\x7e]+$/.test(text);

type Verify = (secrets: readonly string[], post: ReceivedPost, now: number) => VerifiedPost | undefined;

/** Verifies a signature of Standard Webhooks: `v1,<base64>` over id, time and body. */
const verifyStandard: Verify = (secrets, post, now) => {
  const [id, time] = [headerOf(post, 'webhook-id'), headerOf(post, 'webhook-timestamp')];
  const signatures = headerOf(post, 'webhook-signature')
    .split(' ', MOST_SIGNATURES)
    .flatMap((text) => (text.startsWith('v1,') ? [Buffer.from(text.slice(3), 'base64')] : []));
  const keys = secrets.map((secret) => Buffer.from(secret.slice(STANDARD_PREFIX.length), 'base64'));
  const signed = isSigned(keys, [`${id}.${time}.`, post.body], signatures);
  return signed && isId(id) && isInWindow(time, now) ? { id } : undefined;
};

/** Verifies a signature of GitHub: `sha256=<hex>` over only the body. The id of the delivery is not signed. */
const verifyGithub: Verify = (secrets, post) => {
  const [, hex = ''] = /^sha256=([0-9a-f]{64})$/i.exec(headerOf(post, 'x-hub-signature-256')) ?? [];
  const id = headerOf(post, 'x-github-delivery');
  return isSigned(secrets, [post.body], [Buffer.from(hex, 'hex')])
    ? { id: isId(id) ? id : digestOf(post.body) }
    : undefined;
};

const WithId = z.object({ id: z.string() });

/** Verifies a signature of Stripe: `t=<seconds>,v1=<hex>` over time and body. The `id` in the body names the event. */
const verifyStripe: Verify = (secrets, post, now) => {
  const parts = headerOf(post, 'stripe-signature').split(',', 2 * MOST_SIGNATURES);
  const time = parts.find((part) => part.startsWith('t='))?.slice(2) ?? '';
  const signatures = parts.flatMap((part) => (part.startsWith('v1=') ? [Buffer.from(part.slice(3), 'hex')] : []));
  if (!isSigned(secrets, [`${time}.`, post.body], signatures) || !isInWindow(time, now)) return undefined;
  const id = eventId(post.body);
  return { id: isId(id) ? id : digestOf(time, post.body) };
};

function eventId(body: Buffer): string | undefined {
  try {
    return WithId.safeParse(JSON.parse(body.toString())).data?.id;
  } catch {
    return undefined;
  }
}

const FORMS: Record<Signature, Verify> = { standard: verifyStandard, github: verifyGithub, stripe: verifyStripe };

/** Verifies a post with the secrets. @returns undefined when no secret matches a signature, or when the post is too old */
export const verifyPost = (
  form: Signature,
  secrets: readonly string[],
  post: ReceivedPost,
  now: number,
): VerifiedPost | undefined => FORMS[form](secrets, post, now);
