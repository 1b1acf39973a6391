import { createStatementLog, transactionsOf, type StatementLog } from '@millwright/testing';
import type { Prompt } from '../prompts/prompts.contract.js';
import { greeting, startTestApp, type Call, type TestApp } from '../test-app.js';
import type { RunResult } from './runs.contract.js';

/** Number of runs that a test makes. The run with the fewest statements is compared, because timers may send statements during other runs. */
const RUNS = 5;

let app: TestApp;
let log: StatementLog;
let call: Call;

beforeAll(async () => {
  app = await startTestApp();
  app.model.answerWith('Hello.');
  log = await createStatementLog(app.database.url);
  ({ call } = await app.startReplica({ databaseUrl: log.url }));
});
afterAll(async () => {
  await app.close();
  await log.close();
});

/** Returns the SQL statements of a run by transaction. Notifications of other processes are left out, because the request does not wait for them. */
async function transactionsOfRun(send: () => Promise<unknown>): Promise<string[][]> {
  const found: string[][][] = [];
  while (found.length < RUNS) {
    log.take();
    await send();
    found.push(transactionsOf(log.take().filter(({ name }) => name !== 'notify-runs')));
  }
  const sizes = found.map((transactions) => transactions.flat().length);
  return found[sizes.indexOf(Math.min(...sizes))] ?? [];
}

const newPrompt = async (instruction: object = { dynamic: '{{message}}' }) =>
  (await call<Prompt>('POST', '/v1/prompt', { body: { ...greeting, instruction, input: {}, output: {} } })).body.id;

async function run(prompt: string, body: object = {}) {
  const answer = await call<RunResult>('POST', `/v1/prompt/${prompt}/openai`, { body: { message: 'Hi', ...body } });
  expect(answer.status).toBe(200);
  return answer.body.data.conversation.id;
}

const READS = [['find-api-key'], ['find-prompts'], ['list-guard-policies']];
const START = ['insert runs, insert run_events'];
const END = 'update runs, insert run_steps, insert governance_decisions, insert usage_events, insert run_events';

describe('POST /v1/prompt/{uuid}/openai', () => {
  it('executes 5 transactions with 6 SQL statements when it starts a conversation', async () => {
    const prompt = await newPrompt();
    expect(await transactionsOfRun(() => run(prompt))).toEqual([
      ...READS,
      START,
      ['insert conversations, insert conversation_messages, insert record_counts', END],
    ]);
  });

  it('executes one more SQL statement when the template has a token that may name a block', async () => {
    const prompt = await newPrompt({ dynamic: '{{tone}} {{message}}' });
    expect((await transactionsOfRun(() => run(prompt))).flat()).toContain('block-contents');
  });

  it('executes 8 transactions with 14 SQL statements when it continues a conversation', async () => {
    const prompt = await newPrompt();
    const conversation = await run(prompt);
    const [key, choice, ...reads] = READS;
    expect(await transactionsOfRun(() => run(prompt, { conversation }))).toEqual([
      ...[key, choice, ['find-conversation'], ['read conversations'], ['read conversations'], ...reads],
      START,
      [
        ...[
          'read conversations',
          'update conversations',
          'read conversation_messages',
          'insert conversation_messages',
          END,
        ],
        ...['read conversations', 'read conversations'],
      ],
    ]);
  });
});
