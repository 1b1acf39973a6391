import { createHmac } from 'node:crypto';
import { newId } from '@millwright/db';
import type { EgressFetch } from '@millwright/egress';
import type { Logger } from '@millwright/http';
import { createTransport } from 'nodemailer';
import type { Sender } from './delivery.js';

/** The default: an operator reads the link in the log and passes it on. */
export function createLogSender(logger: Logger): Sender {
  return {
    channel: 'log',
    send({ email, token, url, requestId }) {
      // The one log event that holds a secret.
      const link = { email, magic_link_token: token, url, request_id: requestId };
      logger.warn({ event: 'magic_link.issued', ...link }, 'magic_link.issued');
      return Promise.resolve();
    },
    notify({ email, kind, requestId }) {
      logger.warn({ event: 'account.notice', email, kind, request_id: requestId }, 'account.notice');
      return Promise.resolve();
    },
  };
}

export interface SmtpOptions {
  /** `smtps://user:password@host:465`, or `smtp://…`, which must switch to STARTTLS unless the host is this machine. */
  url: string;
  from: string;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

export function createSmtpSender({ url, from }: SmtpOptions): Sender {
  const { hostname, searchParams } = new URL(url);
  const mayBePlain = LOOPBACK.includes(hostname) || searchParams.get('requireTLS') === 'false';
  const transport = createTransport({
    url,
    requireTLS: !mayBePlain,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 10_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    channel: 'smtp',
    async send({ email, url: link, expiresAt }) {
      const text = `Someone, hopefully you, asked to recover the Millwright account of this address.

This link signs you in once, so that you can add a new passkey. It works until ${expiresAt.toUTCString()}:

${link}

If it was not you, ignore this message: nothing changes without the link.
`;
      await transport.sendMail({ from, to: { name: '', address: email }, subject: 'Recover your account', text });
    },
    async notify({ email, subject, text }) {
      await transport.sendMail({ from, to: { name: '', address: email }, subject, text });
    },
    close: () => transport.close(),
  };
}

export interface WebhookOptions {
  url: string;
  /** `whsec_` and the key in base64. */
  secret: string;
  fetch: EgressFetch;
  now?: () => number;
}

/** Sends signed posts (Standard Webhooks): `v1,` and the HMAC-SHA-256 of id, time and body. */
export function createWebhookSender({ url, secret, fetch, now = Date.now }: WebhookOptions): Sender {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');

  async function post(type: string, data: object): Promise<void> {
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
  }

  return {
    channel: 'webhook',
    send: ({ email, url: link, expiresAt, requestId }) =>
      post('magic_link.issued', { email, url: link, expires_at: expiresAt.toISOString(), request_id: requestId }),
    notify: ({ email, kind, subject, text, requestId }) =>
      post('account.notice', { email, kind, subject, text, request_id: requestId }),
  };
}
