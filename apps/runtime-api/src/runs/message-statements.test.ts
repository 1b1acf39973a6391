import { setTimeout as pause } from 'node:timers/promises';
import { asRole, newId } from '@millwright/db';
import {
  createFakeModel,
  createStatementLog,
  createTestDatabase,
  transactionsOf,
  type FakeModel,
  type HttpClient,
  type SentStatement,
  type StatementLog,
  type TestDatabase,
} from '@millwright/testing';
import { startRuntime, type TestRuntime } from '../test-runtime.js';

/**
 * Number of messages that the test sends. A timer may send SQL statements during a message, but this number is so large that most messages
 * are measured without them.
 */
const MESSAGES = 7;

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let log: StatementLog;
let call: HttpClient;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel('Hello.')]);
  runtime = await startRuntime(database.url, model.url, { takesRuns: false });
  const token = await runtime.newToken();
  await runtime.newAgent({ name: 'Helper' });
  log = await createStatementLog(database.url);
  const replica = await runtime.start({ databaseUrl: asRole(log.url, 'runtime-api'), poolMax: 4 });
  call = replica.as(token);
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
  await log.close();
});

/** The transactions that one message causes, up to the notification of its end. */
async function transactionsOfMessage(send: () => Promise<unknown>): Promise<string[][]> {
  const found: string[][][] = [];
  while (found.length < MESSAGES) {
    await pause(150); // waits for the pause that follows the last notification
    log.take();
    await send();
    const sent: SentStatement[] = [];
    while (!sent.some(({ name }) => name === 'notify-runs')) {
      await pause(5);
      sent.push(...log.take());
    }
    await pause(20);
    sent.push(...log.take());
    found.push(transactionsOf(sent));
  }
  const sizes = found.map((transactions) => transactions.flat().length);
  return found[sizes.indexOf(Math.min(...sizes))] ?? [];
}

async function send(agent: string, body: object = {}, headers: Record<string, string> = {}) {
  const answer = await call('POST', `/api/v1/agents/${agent}/messages`, { json: { content: 'Hi', ...body }, headers });
  expect(answer.status).toBe(200);
  return answer.body as { context_id: string };
}

const END = [
  [
    'read contexts',
    'update contexts, insert context_messages',
    'insert usage_events',
    'update runs, insert run_steps, insert run_events',
  ],
  ['notify-runs'],
];
const START = ['insert governance_decisions', 'read agents', 'insert runs, insert run_events'];

describe('a message whose run has one step', () => {
  it('needs 6 transactions with 12 statements in a new conversation', async () => {
    expect(await transactionsOfMessage(() => send('helper'))).toEqual([
      ['find-oauth-grant'],
      ['find-runnable-agent'],
      ['insert contexts, insert context_messages', ...START],
      ['list-agent-links'],
      ...END,
    ]);
  });

  it('needs 5 transactions with 11 statements when it is sent to the built-in agent', async () => {
    expect(await transactionsOfMessage(() => send('concierge'))).toEqual([
      ['find-oauth-grant'],
      ['list-guard-policies'],
      ['insert contexts, insert context_messages', ...START],
      ...END,
    ]);
  });

  it('needs 6 transactions with 14 statements in an existing conversation', async () => {
    const { context_id } = await send('helper');
    expect(await transactionsOfMessage(() => send('helper', { context_id }))).toEqual([
      ['find-oauth-grant'],
      ['find-runnable-agent'],
      ['read contexts', 'read context_messages', 'update contexts, insert context_messages', ...START],
      ['list-agent-links'],
      ...END,
    ]);
  });

  it('needs 8 transactions with 17 statements when it has an Idempotency-Key', async () => {
    const keyed = () => send('helper', {}, { 'idempotency-key': newId() });
    const [answerAndEnd = [], ...notified] = END;
    expect(await transactionsOfMessage(keyed)).toEqual([
      ['find-oauth-grant'],
      ['read pg_try_advisory_xact_lock', 'read idempotency_keys', 'insert idempotency_keys'],
      ['find-runnable-agent'],
      ['find-keyed-run'],
      ['insert contexts, insert context_messages', ...START],
      ['list-agent-links'],
      [...answerAndEnd, 'insert idempotency_keys'],
      ...notified,
    ]);
  });
});
