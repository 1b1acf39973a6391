import type { Logger } from '@millwright/http/process';
import type { Transporter } from 'nodemailer';
import { createWebhook, type WebhookOptions } from '@millwright/events';
import type { MagicLink, Sender } from './delivery.js';

/** Creates the default sender, which writes links to the log. An operator reads a link in the log and sends it to the user. */
export function createLogSender(logger: Logger): Sender {
  return {
    channel: 'log',
    send({ email, token, url, requestId }) {
      // The only log event that contains a secret: the link.
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
  /**
   * Address of the mail server: `smtps://user:password@host:465`, or `smtp://…`, which must switch to STARTTLS unless the host is this
   * machine.
   */
  url: string;
  from: string;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

type LinkText = (link: Pick<MagicLink, 'url' | 'expiresAt'>) => { subject: string; text: string };

const LINK_TEXTS: Readonly<Record<MagicLink['purpose'], LinkText>> = {
  recovery: ({ url, expiresAt }) => ({
    subject: 'Recover your account',
    text: `Someone, hopefully you, asked to recover the Millwright account of this address.

This link signs you in once, so that you can add a new passkey. It works until ${expiresAt.toUTCString()}:

${url}

If it was not you, ignore this message: nothing changes without the link.
`,
  }),
  setup: ({ url, expiresAt }) => ({
    subject: 'Set up your account',
    text: `Someone, hopefully you, registered this address for a Millwright account.

This link lets you add a passkey once, which completes the account. It works until ${expiresAt.toUTCString()}:

${url}

If it was not you, ignore this message: nobody can use the account without the link.
`,
  }),
};

export function createSmtpSender({ url, from }: SmtpOptions): Sender {
  const { hostname, searchParams } = new URL(url);
  const mayBePlain = LOOPBACK.includes(hostname) || searchParams.get('requireTLS') === 'false';
  async function connect(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url,
      requireTLS: !mayBePlain,
      connectionTimeout: 5_000,
      greetingTimeout: 5_000,
      socketTimeout: 10_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }
  let connecting: Promise<Transporter> | undefined;
  const transport = () => (connecting ??= connect());
  return {
    channel: 'smtp',
    async send({ email, ...link }) {
      await (await transport()).sendMail({ from, to: { name: '', address: email }, ...LINK_TEXTS[link.purpose](link) });
    },
    async notify({ email, subject, text }) {
      await (await transport()).sendMail({ from, to: { name: '', address: email }, subject, text });
    },
    close: async () => (await connecting)?.close(),
  };
}

/** Creates a sender that posts links and messages to a webhook, with a signature. */
export function createWebhookSender(options: WebhookOptions): Sender {
  const post = createWebhook(options);
  return {
    channel: 'webhook',
    send: ({ purpose, email, url: link, expiresAt, requestId }) =>
      post(purpose === 'setup' ? 'setup_link.issued' : 'magic_link.issued', {
        email,
        url: link,
        expires_at: expiresAt.toISOString(),
        request_id: requestId,
      }),
    notify: ({ email, kind, subject, text, requestId }) =>
      post('account.notice', { email, kind, subject, text, request_id: requestId }),
  };
}
