import { asRole, createDatabase, encodeId, newId } from '@millwright/db';
import { createModels, type ModelUse } from '@millwright/models';
import { BudgetExceeded, createSpending } from './index.js';

/**
 * The task of a process that spends like a service until the test kills the process. It calls no model: its answers are
 * made up.
 */
interface Task {
  databaseUrl: string;
  runId: string;
  attempt: number;
  calls: number;
  /** Users, each with an API key. */
  users: { id: string; key: string }[];
  agents: string[];
}
const task = JSON.parse(process.argv[2] ?? '{}') as Task;

const AT_ONCE = 4;
const db = createDatabase({ url: asRole(task.databaseUrl, 'runtime-api'), poolMax: 3, acquireTimeoutMs: 60_000 });
const models = createModels({
  models: [
    {
      ...{ name: 'house', endpoint: null, contextWindow: 10_000, maxOutput: 50, fallbacks: [], timeoutMs: 600_000 },
      prices: { input: 2, output: 7 },
    },
  ],
  fetch: () => Promise.reject(new Error('no model is called')),
});
const spending = createSpending({ db, models: { of: () => models } });

const below = (limit: number) => Math.floor(Math.random() * limit);
const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;

async function callOnce(): Promise<'spent' | 'released' | 'refused'> {
  const user = oneOf(task.users);
  const agentId = oneOf(task.agents);
  const caller = {
    project: 'Core' as const,
    actor: { userId: user.id, kind: 'user' as const, label: 'user' },
    credential: { kind: 'api_key' as const, id: encodeId('key', user.key) },
  };
  const messages = [{ role: 'user' as const, content: 'word '.repeat(1 + below(40)) }];
  const run = { runId: task.runId, attempt: task.attempt };
  const call = await spending.reserve({ caller, agentId, run }, { messages, maxTokens: 1 + below(50) }).catch(refused);
  if (!call) return 'refused';
  await new Promise((resolve) => setTimeout(resolve, below(20)));
  if (below(10) === 0) {
    await call.release();
    return 'released';
  }
  const [input, output] = [1 + below(60), below(1 + (call.request.maxTokens ?? 0))];
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  const use: ModelUse = { model: 'house', usage, costUsd: (2 * input + 7 * output) / 1_000_000, estimated: false };
  const subject = { user_id: user.id, subject_id: agentId, project: 'Core', kind: 'agent_step', model: 'house' };
  await db.transaction(async (tx) => {
    await tx.usageEvent.create({
      data: { id: newId(), ...subject, prompt_tokens: input, completion_tokens: output, cost_usd: use.costUsd },
    });
    await call.settle(tx, use);
  });
  return 'spent';
}

function refused(error: unknown): undefined {
  if (!(error instanceof BudgetExceeded)) throw error;
}

await spending.returnOf(task.runId, task.attempt);
process.stdout.write('ready\n');
let left = task.calls;
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while ((left -= 1) >= 0) process.stdout.write(`${await callOnce()}\n`);
  }),
);
await models.close();
await db.close();
