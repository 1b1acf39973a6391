import { createUser } from '@millwright/accounts';
import type { Caller } from '@millwright/auth';
import { createDatabase, newId, type Database } from '@millwright/db';
import { createModels, type ModelDefinition, type ProjectModels } from '@millwright/models';
import { createTestDatabase } from '@millwright/testing';
import { SPENDING, type Level, type Period, type Unit } from './budget.js';

export interface NewTestBudget {
  level?: Level;
  unit?: Unit;
  period?: Period;
  /** Amount of the budget, in the budget's unit. */
  amount: number;
  project?: string;
  of?: { user_id?: string; agent_id?: string; api_key_id?: string; client_id?: string; trigger_id?: string };
}

export interface TestSpending {
  db: Database;
  url: string;
  caller: Caller;
  userId: string;
  models: ProjectModels;
  addBudget: (budget: NewTestBudget) => Promise<string>;
  windowOf: (budgetId: string) => Promise<{ reserved: number; spent: number; warned: boolean; exhausted: boolean }>;
  close: () => Promise<void>;
}

const house: ModelDefinition = {
  name: 'house',
  endpoint: null,
  contextWindow: 1_000,
  maxOutput: 100,
  prices: { input: 1, output: 2 },
  fallbacks: [],
  timeoutMs: 1_000,
};
const unpriced: ModelDefinition = { ...house, name: 'unpriced', prices: undefined };
const dear: ModelDefinition = { ...house, name: 'dear', prices: { input: 10, output: 20 } };
const brief: ModelDefinition = { ...house, name: 'brief', parameters: { max_tokens: 20 } };
const falling: ModelDefinition = { ...house, name: 'falling', fallbacks: ['dear'] };

/** Creates a database with a user who may spend, and models: some with different prices, one with a fallback, and one without a price. */
export async function openSpending(): Promise<TestSpending> {
  const database = await createTestDatabase();
  const db = createDatabase({ url: database.url, poolMax: 10, acquireTimeoutMs: 15_000, refusesNesting: true });
  const email = 'ann@example.com';
  await db.transaction((tx) =>
    createUser(tx, { email, name: 'Ann', role: 'user', platformAdmin: false, project: 'Core' }),
  );
  const { id: userId } = await db.prisma.user.findUniqueOrThrow({ where: { email } });
  const models = createModels({
    models: [house, unpriced, dear, brief, falling],
    fetch: () => Promise.reject(new Error('no model is called')),
  });
  return {
    ...{ db, userId, models: { of: () => models }, url: database.url },
    caller: { project: 'Core', actor: { userId, kind: 'user', label: 'Ann' } },
    async addBudget({ level = 'project', unit = 'tokens', period = 'total', amount, project = 'Core', of = {} }) {
      const id = newId();
      const name = `${level} ${unit} ${period}`;
      await db.transaction(async (tx) => {
        await tx.budget.create({ data: { id, project, name, level, unit, period, amount, created_by: userId, ...of } });
        await tx.$queryRaw`SELECT pg_notify(${SPENDING}, '')::text`;
      });
      return id;
    },
    async windowOf(budget_id) {
      const row = await db.prisma.budgetWindow.findFirstOrThrow({
        where: { budget_id },
        orderBy: { starts_on: 'desc' },
      });
      const [reserved, spent] = [Number(row.reserved), Number(row.spent)];
      return { reserved, spent, warned: row.warned_at !== null, exhausted: row.exhausted_at !== null };
    },
    async close() {
      await models.close();
      await db.close();
      await database.drop();
    },
  };
}
