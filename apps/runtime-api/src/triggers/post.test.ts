import { createHmac } from 'node:crypto';
import { decodeId } from '@millwright/db';
import { sealTriggerSecret } from '@millwright/runs/triggers';
import {
  createFakeModel,
  createTestDatabase,
  type ClientAnswer,
  type FakeModel,
  type TestDatabase,
} from '@millwright/testing';
import { Webhook } from 'standardwebhooks';
import { startRuntime, type Replica, type TestRuntime } from '../test-runtime.js';
import { createTestTriggers, pollUntil, type TestTrigger, type TestTriggers } from './test-triggers.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let triggers: TestTriggers;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  model.answerWith('Done.');
  runtime = await startRuntime(database.url, model.url);
  triggers = createTestTriggers(runtime, await runtime.newUser('grace@example.com', { role: 'admin' }));
  await runtime.newAgent({ name: 'Guide' });
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

interface Answer {
  id: string;
  state: string;
  run_id: string | null;
}

/** Makes the headers of a post in the form of Standard Webhooks, with the official library. */
function standard(secret: string, id: string, body: string, at = new Date()): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}
const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

const post = (address: string, body: string, headers: Record<string, string>, to: Replica = runtime) =>
  to.as()('POST', `/api/v1/triggers/${address}`, { body, headers: { 'content-type': 'application/json', ...headers } });
const send = async (trigger: TestTrigger, id: string, body = '{"issue":{"title":"It broke"}}') =>
  (await post(trigger.address, body, standard(trigger.secret, id, body))) as Omit<ClientAnswer, 'body'> & {
    body: Answer;
  };
const stateOf = (runId: string | null) =>
  runtime.db.prisma.run.findUnique({ where: { id: decodeId('run', runId ?? '') ?? '' } });

describe('POST /api/v1/triggers/{address}', () => {
  it('answers 202 with the run that the post starts, whose message is rendered from the template', async () => {
    const trigger = await triggers.webhook({ input: 'Look into "{{body.issue.title}}".' });
    const { status, body } = await send(trigger, 'msg_1');
    expect([status, body.state]).toEqual([202, 'pending']);
    const run = await pollUntil(async () => {
      const found = await stateOf(body.run_id);
      return found?.state === 'completed' && found;
    });
    const message = await runtime.db.prisma.contextMessage.findUniqueOrThrow({ where: { id: run.message_id ?? '' } });
    expect([run.channel, message.content]).toEqual(['trigger', 'Look into "It broke".']);
  });

  it('starts only one run for posts with the same id, and returns the same answer to each of them', async () => {
    const trigger = await triggers.webhook();
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(trigger, 'msg_1')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(new Set(answers.map(({ body }) => body.run_id)).size).toBe(1);
    const other = await send(trigger, 'msg_2');
    expect(other.body.run_id).not.toBe(answers[0]?.body.run_id);
    expect(await triggers.firingsOf(trigger.id)).toHaveLength(2);
  });

  it('answers the same bytes to an unknown address and to a wrong signature, and stores nothing', async () => {
    const trigger = await triggers.webhook();
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const wrong = await post(trigger.address, '{}', standard(secret, 'msg_1', '{}'));
    const unknown = await post('A'.repeat(32), '{}', standard(secret, 'msg_1', '{}'));
    const none = await post(trigger.address, '{}', {});
    const shown = ({ status, text, headers }: ClientAnswer) => [
      ...[status, text, headers.get('www-authenticate')],
      [...headers.keys()].filter((name) => !name.startsWith('x-request')).sort(),
    ];
    expect(wrong.status).toBe(401);
    expect(shown(unknown)).toEqual(shown(wrong));
    expect(shown(none)).toEqual(shown(wrong));
    expect(await triggers.firingsOf(trigger.id)).toEqual([]);
  });

  it.each([
    ['is too old', (body: string, secret: string) => standard(secret, 'm', body, new Date(Date.now() - 301_000))],
    [
      'is from the future',
      (body: string, secret: string) => standard(secret, 'm', body, new Date(Date.now() + 302_000)),
    ],
    [
      'has a signed time other than its own',
      (body: string, secret: string) => ({
        ...standard(secret, 'm', body, new Date(Date.now() - 600_000)),
        'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
      }),
    ],
    [
      'has an id other than the signed one',
      (body: string, secret: string) => ({ ...standard(secret, 'm', body), 'webhook-id': 'n' }),
    ],
    ['has another body', (_: string, secret: string) => standard(secret, 'm', '{"a":2}')],
    [
      'has an id that is longer than 200 characters',
      (body: string, secret: string) => standard(secret, 'm'.repeat(201), body),
    ],
  ])('answers 401 to a post that %s', async (_, headersOf) => {
    const trigger = await triggers.webhook();
    expect((await post(trigger.address, '{"a":1}', headersOf('{"a":1}', trigger.secret))).status).toBe(401);
  });

  it('accepts both secrets during the overlap after a rotation, and afterwards only the new secret', async () => {
    const trigger = await triggers.webhook();
    const data = {
      former_secret: (await triggers.rowOf(trigger.id)).secret,
      secret: sealTriggerSecret(runtime.secretBox, trigger.id, `whsec_${Buffer.alloc(32, 9).toString('base64')}`),
      former_until: new Date(Date.now() + 60_000),
    };
    const rotated = { ...trigger, secret: `whsec_${Buffer.alloc(32, 9).toString('base64')}` };
    await runtime.db.prisma.trigger.update({ where: { id: trigger.id }, data });
    expect([(await send(trigger, 'a')).status, (await send(rotated, 'b')).status]).toEqual([202, 202]);
    await runtime.db.prisma.trigger.update({ where: { id: trigger.id }, data: { former_until: new Date() } });
    expect([(await send(trigger, 'c')).status, (await send(rotated, 'd')).status]).toEqual([401, 202]);
  });

  it("accepts a post in GitHub's form, and starts one run for each delivery", async () => {
    const trigger = await triggers.webhook({ signature: 'github' }, 'a-secret-of-github');
    const body = '{"action":"opened"}';
    const headers = { 'x-hub-signature-256': `sha256=${hex(trigger.secret, body)}`, 'x-github-delivery': 'd-1' };
    const statuses = [
      await post(trigger.address, body, headers),
      await post(trigger.address, body, headers),
      await post(trigger.address, '{"action":"closed"}', headers),
      await post(trigger.address, body, standard(`whsec_${Buffer.alloc(32).toString('base64')}`, 'm', body)),
    ].map(({ status }) => status);
    expect(statuses).toEqual([202, 202, 401, 401]);
    expect(await triggers.firingsOf(trigger.id)).toHaveLength(1);
  });

  it("accepts a post in Stripe's form for five minutes after the time of its signature, and starts one run for each event", async () => {
    const trigger = await triggers.webhook({ signature: 'stripe' }, 'whsec_of_stripe_itself');
    const body = '{"id":"evt_1","type":"invoice.paid"}';
    const signed = (seconds: number, secret = trigger.secret) => ({
      'stripe-signature': `t=${seconds},v1=${hex(secret, `${seconds}.${body}`)},v0=abc`,
    });
    const now = Math.floor(Date.now() / 1_000);
    const statuses = [
      await post(trigger.address, body, signed(now)),
      await post(trigger.address, body, signed(now - 10)),
      await post(trigger.address, body, signed(now - 301)),
      await post(trigger.address, body, signed(now, 'another-secret')),
    ].map(({ status }) => status);
    expect(statuses).toEqual([202, 202, 401, 401]);
    expect(await triggers.firingsOf(trigger.id)).toHaveLength(1);
  });

  it('skips a post from which the template renders no message', async () => {
    const trigger = await triggers.webhook({ input: '{{body.issue.title}}' });
    const { status, body } = await send(trigger, 'ping', '{"zen":"Keep it simple."}');
    expect([status, body]).toMatchObject([202, { state: 'skipped', run_id: null }]);
    expect(await triggers.firingsOf(trigger.id)).toMatchObject([{ state: 'skipped', reason: 'message' }]);
  });

  it('accepts any text as a body, including JSON that is nested deeper than a template can read', async () => {
    const trigger = await triggers.webhook({ input: '{{body}}' });
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    for (const [id, body] of [
      ['deep', deep],
      ['form', 'a=1&b=2'],
    ] as const)
      expect((await send(trigger, id, body)).status).toBe(202);
  });

  it('answers 409 for an inactive trigger, 413 to a long body, 415 to a compressed body, and 405 to GET with a credential', async () => {
    const trigger = await triggers.webhook({ status: 'inactive' });
    expect((await send(trigger, 'msg_1')).status).toBe(409);
    expect((await post(trigger.address, 'x'.repeat(256 * 1_024 + 1), {})).status).toBe(413);
    expect((await post(trigger.address, 'x', { 'content-encoding': 'gzip' })).status).toBe(415);
    const reader = runtime.as(await runtime.newToken());
    expect((await reader('GET', `/api/v1/triggers/${trigger.address}`)).status).toBe(405);
  });

  it('answers 429 while 100 firings of the trigger are unfinished, and accepts the same post later', async () => {
    const trigger = await triggers.webhook({ overlap: 'queue' });
    const at = new Date(Date.now() + 600_000);
    await runtime.db.prisma.triggerFiring.createMany({
      data: Array.from({ length: 100 }, (_, n) => ({
        ...{ id: `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`, trigger_id: trigger.id, project: 'Core' },
        ...{ number: -n, source: 'webhook', key: `k${n}`, at, next_at: at, input: 'x' },
      })),
    });
    const full = await send(trigger, 'msg_1');
    expect([full.status, full.headers.get('retry-after')]).toEqual([429, '10']);
    await runtime.db.prisma.triggerFiring.deleteMany({ where: { trigger_id: trigger.id } });
    expect((await send(trigger, 'msg_1')).status).toBe(202);
  });

  it('answers 429 beyond 120 signed posts a minute per trigger, and beyond 300 posts a minute per address', async () => {
    const trigger = await triggers.webhook({ overlap: 'skip' });
    const strict = await runtime.start({ multiplier: 1, takesRuns: false });
    /** Sends posts until one is refused. A new minute may begin in between, so the loop sends up to twice the limit plus one. */
    const untilRefused = async (limit: number, headersOf: (n: number) => Record<string, string>) => {
      const statuses: number[] = [];
      while (statuses.at(-1) !== 429 && statuses.length <= 2 * limit)
        statuses.push((await post(trigger.address, '{}', headersOf(statuses.length), strict)).status);
      return { refused: statuses.pop(), admitted: statuses.length, others: [...new Set(statuses)] };
    };
    const signed = await untilRefused(120, (n) => standard(trigger.secret, `m${n}`, '{}'));
    expect(signed).toMatchObject({ refused: 429, others: [202] });
    expect(signed.admitted).toBeGreaterThanOrEqual(120);
    expect(await untilRefused(300, () => ({}))).toMatchObject({ refused: 429, others: [401] });
  });

  it('starts the run of an acknowledged post in another process when the process that received the post does not start the run', async () => {
    const replica = await runtime.start({ takesRuns: false });
    const trigger = await triggers.webhook();
    const body = '{"n":1}';
    const answer = await post(trigger.address, body, standard(trigger.secret, 'msg_1', body), replica);
    expect(answer.status).toBe(202);
    const { run_id } = answer.body as Answer;
    await pollUntil(async () => (await stateOf(run_id))?.state === 'completed');
  });
});
