import { createUser } from '@millwright/accounts';
import { newId, type Database } from '@millwright/db';
import { createEgress } from '@millwright/egress';
import { createSecretBox } from '@millwright/secrets';
import { listen, type ListeningApp } from '@millwright/testing';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret } from './signatures.js';
import { openSecret, sealSecret } from './webhook-secrets.js';

export const secrets = createSecretBox([{ id: 'test', key: Buffer.alloc(32, 1) }]);

/** Makes an egress that may connect to this machine. */
export const openEgress = () => createEgress({ allowLoopback: true, allowHttp: false, allow: [] });

export async function makeAdmin(db: Database, email = 'ann@example.com'): Promise<string> {
  const admin = { email, name: 'Ann', role: 'admin', platformAdmin: false, project: 'Core' } as const;
  await db.transaction((tx) => createUser(tx, admin));
  return (await db.prisma.user.findUniqueOrThrow({ where: { email } })).id;
}

interface MadeWebhook {
  id: string;
  secret: string;
}

export async function makeWebhook(
  db: Database,
  owner: string,
  url: string,
  changes: { project?: string; event_types?: string[]; status?: string } = {},
): Promise<MadeWebhook> {
  const id = newId();
  const secret = newWebhookSecret();
  const data = { id, project: 'Core', name: id, url, created_by: owner, secret: sealSecret(secrets, id, secret) };
  await db.prisma.webhook.create({ data: { ...data, ...changes } });
  return { id, secret };
}

/** Rotates the webhook's key; the former key stays valid for `overlapMs`. @returns the new key */
export async function rotate(db: Database, id: string, overlapMs: number): Promise<string> {
  const { secret: former } = await db.prisma.webhook.findUniqueOrThrow({ where: { id } });
  const secret = newWebhookSecret();
  const former_until = new Date(Date.now() + overlapMs);
  const data = { secret: sealSecret(secrets, id, secret), former_secret: former, former_until };
  await db.prisma.webhook.update({ where: { id }, data });
  openSecret(secrets, id, former);
  return secret;
}

export interface Received {
  id: string;
  headers: Record<string, string>;
  body: string;
  message: { type: string; timestamp: string; project: string; subject: string; sequence: number; data: unknown };
}

export interface TestReceiver extends ListeningApp {
  received: Received[];
  /** Decides the answer to a message. Default: 204. */
  answer: (message: Received) => { status: number; headers?: Record<string, string>; body?: string } | Promise<never>;
}

/** Starts a receiver of webhooks that records the messages that it receives. */
export async function startReceiver(): Promise<TestReceiver> {
  const received: Received[] = [];
  const app = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const headers = request.headers as Record<string, string>;
      const message = { id: headers['webhook-id'] ?? '', headers, body, message: JSON.parse(body) as never };
      received.push(message);
      void Promise.resolve(receiver.answer(message)).then(({ status, headers: sent, body: text }) => {
        response.writeHead(status, sent).end(text);
      });
    });
  });
  const receiver: TestReceiver = { ...app, received, answer: () => ({ status: 204 }) };
  return receiver;
}

/** Verifies a message with the official library, as a receiver does. @throws when the signature is not by the key */
export const verify = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, headers);

/** Polls until `read` returns a value. */
export async function pollUntil<Answer>(read: () => Answer | undefined | Promise<Answer | undefined>): Promise<Answer> {
  for (;;) {
    const answer = await read();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
