import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createEgress } from '@millwright/egress';
import { createLogger, createMetrics, type Metrics } from '@millwright/http/process';
import {
  createHttpClient,
  createMailServer,
  createTestDatabase,
  listen,
  type MailServer,
  type TestDatabase,
} from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';
import { configuredSender } from './configured-sender.js';
import type { DeliveryConfig } from './delivery-config.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const egress = createEgress({ allowLoopback: true, allowHttp: true, allow: [] });

let database: TestDatabase;
let site: TestConsole;
let lines: string[];
let metrics: Metrics;

/** Starts a console with these delivery settings; its log is kept in `lines`. */
async function open(settings: Partial<DeliveryConfig>): Promise<void> {
  lines = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ service: 'test', level: 'trace', version: 'test', destination });
  metrics = createMetrics({ service: 'test', version: 'test' });
  const sender = configuredSender(
    { RECOVERY: 'all', MAGIC_LINK_DELIVERY: 'log', ...settings },
    { logger, fetch: egress.fetch },
  );
  site = await startConsole(database.url, { logger, metrics, sender });
  await site.addUser({ email: 'Ada@example.com' });
}

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await site.close();
  await database.drop();
});
afterAll(() => egress.close());

const request = (email: string) =>
  createHttpClient(site.url)('POST', '/admin/api/magic-link/request', { json: { email } });
const redeem = (token: string) =>
  createHttpClient(site.url)('POST', '/admin/api/magic-link/validate', { json: { token } });
const counted = async (labels: Record<string, string>) => {
  const { values } = (await metrics.registry.getSingleMetric('magic_link_deliveries_total')?.get()) ?? { values: [] };
  return values
    .filter(({ labels: own }) => Object.entries(labels).every(([k, v]) => own[k] === v))
    .map(({ value }) => value);
};
const tokenIn = (text: string) => /token=([0-9a-f]{64})/.exec(text)?.[1] ?? '';
const logged = (event: string) =>
  lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line['event'] === event);

describe('recovery links by log, the default', () => {
  it('appear only in one log line, magic_link.issued, which contains the id of the request', async () => {
    await open({});
    const { status, headers } = await request('ada@example.com');
    await request('nobody@example.com');
    await site.settled();
    expect(status).toBe(200);
    const [issued, ...more] = logged('magic_link.issued');
    expect(more).toEqual([]);
    const token = String(issued?.['magic_link_token']);
    expect(issued).toMatchObject({ email: 'Ada@example.com', url: `${site.url}/admin/magic-link#token=${token}` });
    expect(issued?.['request_id']).toBe(headers.get('x-request-id'));
    await createHttpClient(site.url)('GET', `/admin/magic-link?token=${token}`);
    expect((await redeem(token)).status).toBe(200);
    expect((await redeem(token)).status).toBe(401);
    expect(lines.filter((line) => line.includes(token))).toHaveLength(1);
    expect(lines.filter((line) => /[0-9a-f]{64}/.test(line))).toHaveLength(1);
    expect(await counted({ channel: 'log', outcome: 'sent' })).toEqual([1]);
  });
});

describe('recovery links by SMTP', () => {
  let mail: MailServer;
  beforeEach(async () => {
    mail = await createMailServer();
  });
  afterEach(() => mail.close());
  const bySmtp = (url = mail.url) =>
    open({ MAGIC_LINK_DELIVERY: 'smtp', SMTP_URL: url, MAIL_FROM: 'Millwright <mw@example.com>' });
  /** Decodes quoted-printable text (RFC 2045 §6.7). */
  const decoded = (text: string) =>
    text
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

  it('are sent to the email address of the account, are valid, and appear in no log line', async () => {
    await bySmtp();
    const { body } = await request('ADA@EXAMPLE.COM');
    await site.settled();
    expect(mail.mails).toMatchObject([{ from: 'mw@example.com', to: ['Ada@example.com'] }]);
    const text = decoded(mail.mails[0]?.data ?? '');
    expect(text).toMatch(/^From: Millwright <mw@example.com>\r$/m);
    expect(text).toMatch(/^Subject: Recover your account\r$/m);
    expect(text).toContain(`${site.url}/admin/magic-link#token=`);
    expect((await redeem(tokenIn(text))).status).toBe(200);
    expect(lines.filter((line) => /[0-9a-f]{64}/.test(line))).toEqual([]);
    expect(body).toEqual({ message: 'If an account has this email, a recovery link is on its way to it.' });
  });

  it('are not sent for an unknown email, which gets the same answer as a known email', async () => {
    await bySmtp();
    const [known, unknown] = [await request('ada@example.com'), await request('nobody@example.com')];
    await site.settled();
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    expect(mail.connections).toBe(1);
    expect(mail.mails).toHaveLength(1);
  });

  it.each(['reject', 'hang-up'] as const)(
    'do not make the request fail after a %s by the mail server; the failure is logged without the link, and counted',
    async (how) => {
      await bySmtp();
      mail.behave(how);
      expect((await request('ada@example.com')).status).toBe(200);
      await site.settled();
      expect(logged('magic_link.delivery_failed')).toMatchObject([{ level: 'error', channel: 'smtp' }]);
      expect(lines.filter((line) => /[0-9a-f]{64}/.test(line))).toEqual([]);
      expect(await counted({ channel: 'smtp', outcome: 'failed' })).toEqual([1]);
    },
  );

  it('do not make requests fail while the mail server is unreachable', async () => {
    await bySmtp('smtp://127.0.0.1:1');
    expect((await request('ada@example.com')).status).toBe(200);
    await site.settled();
    expect(logged('magic_link.delivery_failed')).toMatchObject([{ fault: 'Error', code: 'ESOCKET' }]);
  });

  it('do not delay answers while the mail server is unresponsive', async () => {
    await bySmtp();
    mail.behave('silent');
    const known = await request('ada@example.com');
    // The request is answered while the mail is still being sent: sending ends only with the server's greeting or at the timeout.
    expect([known.status, mail.mails.length, logged('magic_link.delivery_failed').length]).toEqual([200, 0, 0]);
    await site.settled();
    expect(logged('magic_link.delivery_failed')).toHaveLength(1);
  });

  it('are sent to another machine only over TLS, unless the URL allows plain text', async () => {
    const other = await createMailServer('127.0.0.2');
    await bySmtp(other.url);
    await request('ada@example.com');
    await site.settled();
    expect([other.connections, other.mails.length]).toEqual([1, 0]);
    expect(logged('magic_link.delivery_failed')).toHaveLength(1);
    await site.close();
    await bySmtp(`${other.url}?requireTLS=false`).catch(() => undefined);
    await request('ada@example.com');
    await site.settled();
    expect(other.mails).toHaveLength(1);
    await other.close();
  });
});

describe('recovery links by webhook', () => {
  interface Hook {
    headers: IncomingMessage['headers'];
    body: string;
  }
  let hooks: Hook[];
  let status: number;
  let server: { url: string; close: () => Promise<void> };
  const receive = async (incoming: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const part of incoming.setEncoding('utf8')) body += String(part);
    hooks.push({ headers: incoming.headers, body });
    response.writeHead(status, { location: 'https://evil.example/' }).end(body);
  };
  beforeEach(async () => {
    [hooks, status] = [[], 200];
    server = await listen((incoming, response) => void receive(incoming, response));
    await open({
      MAGIC_LINK_DELIVERY: 'webhook',
      MAGIC_LINK_WEBHOOK_URL: `${server.url}/hook`,
      MAGIC_LINK_WEBHOOK_SECRET: SECRET,
    });
  });
  afterEach(() => server.close());

  it('are posted with a signature that covers their id, time and body', async () => {
    const before = Math.floor(Date.now() / 1_000);
    await request('ada@example.com');
    await request('nobody@example.com');
    await site.settled();
    expect(hooks).toHaveLength(1);
    const { headers, body } = hooks[0] ?? { headers: {}, body: '' };
    const [id, timestamp] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])];
    const key = Buffer.alloc(32, 7);
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
    expect(Number(timestamp)).toBeGreaterThanOrEqual(before);
    expect(JSON.parse(body)).toMatchObject({ type: 'magic_link.issued', data: { email: 'Ada@example.com' } });
    expect((await redeem(tokenIn(body))).status).toBe(200);
    expect(lines.filter((line) => /[0-9a-f]{64}/.test(line))).toEqual([]);
  });

  it.each([500, 404, 302])(
    'do not make the request fail when the webhook answers %d; the failure is logged without the link, and counted',
    async (code) => {
      status = code;
      expect((await request('ada@example.com')).status).toBe(200);
      await site.settled();
      expect(hooks).toHaveLength(1);
      expect(logged('magic_link.delivery_failed')).toMatchObject([{ channel: 'webhook' }]);
      expect(lines.filter((line) => /[0-9a-f]{64}/.test(line))).toEqual([]);
      expect(await counted({ outcome: 'failed' })).toEqual([1]);
    },
  );
});
