import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUser, issueApiKey } from '@millwright/accounts';
import { decodeId, newId } from '@millwright/db';
import { bundleProgram } from '@millwright/testing/bundle-program';
import { createSpending } from './index.js';
import { openSpending, type TestSpending } from './test-spending.js';

const PROCESSES = 9;
const KILLS = 30;
/** Number of calls of each process: five times as many as the budget of the project admits. */
const CALLS = 300;
/** Average number of tokens of a call. The budgets have room for only a fifth of all calls. */
const MEAN = 43;

let folder: string;
let program: string;
let test: TestSpending;
const outcomes = { spent: 0, released: 0, refused: 0 };
const attempts = new Map<number, number>();
const failures: number[] = [];
const runIds = Array.from({ length: PROCESSES }, () => newId());
const spenders: (ChildProcess | undefined)[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-spender-'));
  program = join(folder, 'spender.mjs');
  await bundleProgram(new URL('test-spender.ts', import.meta.url), program);
  test = await openSpending();
  // Makes every statement fail that would exceed a budget, even by one unit.
  await test.db.prisma
    .$executeRaw`ALTER TABLE budget_windows ADD CONSTRAINT never_over CHECK (spent + reserved <= amount)`;
});
afterAll(async () => {
  await Promise.all(spenders.flatMap((spender) => (spender ? [kill(spender)] : [])));
  await test.close();
  rmSync(folder, { recursive: true });
});

async function newOwner(name: string): Promise<{ id: string; key: string }> {
  const email = `${name}@example.com`;
  return test.db.transaction(async (tx) => {
    await createUser(tx, { email, name, role: 'user', platformAdmin: false, project: 'Core' });
    const { id: userId } = await tx.user.findUniqueOrThrow({ where: { email } });
    const { id } = await issueApiKey(
      tx,
      { userId, name: 'key', scopes: ['*'], plan: 'standard', project: 'Core' },
      { userId, kind: 'user', label: name },
    );
    return { id: userId, key: decodeId('key', id) ?? id };
  });
}
async function newAgent(name: string): Promise<string> {
  const id = newId();
  await test.db.prisma.agent.create({
    data: { id, project: 'Core', name, slug: name, description: '', created_by: test.userId },
  });
  return id;
}

async function kill(spender: ChildProcess): Promise<boolean> {
  if (spender.exitCode !== null || spender.signalCode !== null) return false;
  spender.kill('SIGKILL');
  await once(spender, 'exit');
  return true;
}

describe(`${PROCESSES} processes that try to spend five times what budgets allow, with ${KILLS} kills`, () => {
  it(
    'never exceed a budget, not even by one unit, and settle exactly the recorded usage',
    async () => {
      const users = [await newOwner('bea'), await newOwner('cy'), await newOwner('di')];
      const agents = [await newAgent('guide'), await newAgent('clerk'), await newAgent('judge')];
      const tokens = Math.floor((PROCESSES * CALLS * MEAN) / 5);
      const tight = Math.floor(tokens / 4);
      const budgets = {
        project: await test.addBudget({ amount: tokens, period: 'month' }),
        money: await test.addBudget({ unit: 'usd', amount: tokens * 5 }),
        user: await test.addBudget({ level: 'user', amount: tight, of: { user_id: users[0]?.id ?? '' } }),
        key: await test.addBudget({
          level: 'api_key',
          unit: 'usd',
          amount: tight * 3,
          of: { api_key_id: users[1]?.key ?? '' },
        }),
        agent: await test.addBudget({ level: 'agent', amount: tight, of: { agent_id: agents[0] ?? '' } }),
      };
      const start = (place: number) =>
        new Promise<void>((resolve) => {
          const attempt = (attempts.get(place) ?? 0) + 1;
          attempts.set(place, attempt);
          const task = { databaseUrl: test.url, runId: runIds[place], attempt, calls: CALLS, users, agents };
          const spender = spawn(process.execPath, [program, JSON.stringify(task)], {
            stdio: ['ignore', 'pipe', 'inherit'],
          });
          spenders[place] = spender;
          spender.stdout.on('data', (data: Buffer) => {
            for (const line of data.toString().split('\n')) {
              if (line === 'ready') resolve();
              if (line in outcomes) outcomes[line as keyof typeof outcomes] += 1;
            }
          });
          spender.on('exit', (code) => {
            if (code) failures.push(code);
            resolve();
          });
        });
      for (let place = 0; place < PROCESSES; place += 1) await start(place);
      let kills = 0;
      while (kills < KILLS) {
        const place = Math.floor(Math.random() * PROCESSES);
        const spender = spenders[place];
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 500));
        if (spender) await kill(spender);
        kills += 1;
        await start(place);
      }
      await Promise.all(
        spenders.map(async (spender) => {
          if (spender && spender.exitCode === null && spender.signalCode === null) await once(spender, 'exit');
        }),
      );
      expect(failures).toEqual([]);
      // A statement of a killed process may end only after the next process has begun.
      const spending = createSpending(test);
      for (const [place, runId] of runIds.entries()) await spending.returnOf(runId, (attempts.get(place) ?? 0) + 1);
      expect(await test.db.prisma.budgetReservation.count()).toBe(0);

      const sums = async (where: object) => {
        const { _sum } = await test.db.prisma.usageEvent.aggregate({
          where,
          _sum: { prompt_tokens: true, completion_tokens: true, cost_usd: true },
        });
        const { prompt_tokens: input, completion_tokens: output, cost_usd: cost } = _sum;
        return { tokens: (input ?? 0) + (output ?? 0), micros: Math.round(Number(cost ?? 0) * 1_000_000) };
      };
      const of = {
        project: (await sums({})).tokens,
        money: (await sums({})).micros,
        user: (await sums({ user_id: users[0]?.id })).tokens,
        key: (await sums({ user_id: users[1]?.id })).micros,
        agent: (await sums({ subject_id: agents[0] })).tokens,
      };
      const table: Record<string, object> = {};
      for (const [name, id] of Object.entries(budgets)) {
        const { spent, reserved } = await test.windowOf(id);
        const { amount } = await test.db.prisma.budget.findUniqueOrThrow({ where: { id } });
        table[name] = { amount: Number(amount), spent, used: of[name as keyof typeof of] };
        expect({ name, spent, reserved }).toEqual({ name, spent: of[name as keyof typeof of], reserved: 0 });
        expect(spent).toBeLessThanOrEqual(Number(amount));
      }
      expect(outcomes.refused).toBeGreaterThan(outcomes.spent);
      process.stdout.write(`${JSON.stringify({ kills, outcomes, table })}\n`);
    },
    30 * 60_000,
  );
});
