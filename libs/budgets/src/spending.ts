import type { Caller } from '@millwright/auth';
import { decodeId, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { ModelRequest, Models, ModelUse, PriceOf } from '@millwright/models';
import { amountText } from './budget.js';
import { createSettings } from './settings.js';
import { createWindowStore, type Payer, type Refusal, type Reservation } from './windows.store.js';
import { costAtMost, costInMicros, tokensOf, worstCaseOf } from './worst-case.js';

/** For whom, and for what, a model is called. */
export interface Spender extends Pick<Payer, 'agentId' | 'triggerId' | 'run' | 'budgetId'> {
  caller: Caller;
}

/** A call of a model whose worst case is reserved. */
export interface SpendingCall {
  /** The request to send: with budgets, it bounds the length of the answer. */
  request: ModelRequest;
  /** What models cost for the project; undefined: the prices of their definitions. */
  priceOf: PriceOf | undefined;
  /** With budgets: a try whose answer was cut off is the last one, because one try is reserved. */
  isPaidOnce: boolean;
  /** Counts what the call used, in the transaction that records it, as its last statement. */
  settle: (tx: Tx, use: ModelUse) => Promise<void>;
  /** Returns what is reserved, unless the call is settled. Does not throw: a reservation that stays is returned once it expires. */
  release: () => Promise<void>;
}

/** A budget has no room for a call. */
export class BudgetExceeded extends AppError {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super('budget_exceeded', {
      fields: [{ field: refusal.need === undefined ? 'model' : 'budget', reason: reasonOf(refusal) }],
      cause: new Error(reasonOf(refusal)),
    });
    this.refusal = refusal;
  }
}

const PERIOD_TEXT = { day: ' a day', month: ' a month', total: '' } as const;

function reasonOf({ name, level, period, unit, amount, reserved, spent, need }: Refusal): string {
  const budget = level === 'run' ? 'the budget of the run' : `the budget "${name}"`;
  if (need === undefined) return `has no price, which ${budget} in USD needs; an admin can set one`;
  const others = reserved > 0 ? `, ${amountText(unit, reserved)} are reserved by calls under way` : '';
  const limit = `${amountText(unit, amount)}${PERIOD_TEXT[period]}`;
  return `${budget} allows ${limit}: ${amountText(unit, spent)} are spent${others}, and this call may need ${amountText(unit, need)}`;
}

function payerOf({ caller, ...rest }: Spender): Payer {
  const { kind, id = '' } = caller.credential ?? {};
  return {
    ...rest,
    project: caller.project,
    userId: caller.actor.userId,
    ...(kind === 'api_key' && { apiKeyId: decodeId('key', id) }),
    // The credential of an access token is its client and its user.
    ...(kind === 'access_token' && { clientId: id.slice(0, id.lastIndexOf(':')) }),
  };
}

/** As long as a prompt's call and its repair may take, with a process that is slow. */
const lifeOf = (timeoutMs: number) => 2 * timeoutMs + 120_000;

export interface SpendingDeps {
  db: Database;
  models: Pick<Models, 'bounds'>;
}

/** What calls of models may spend, and what they cost. */
export function createSpending({ db, models }: SpendingDeps) {
  const windows = createWindowStore(db);
  const settings = createSettings(db);

  /** What the models that may answer cost now: the price stays the same until the call is settled. */
  async function pricesFor(project: string, request: ModelRequest): Promise<PriceOf | undefined> {
    const { hasPrices, priceOf } = await settings.read();
    if (!hasPrices(project)) return undefined;
    const at = new Date();
    const { candidates } = models.bounds(request.model);
    const prices = new Map(candidates.map(({ name, prices: own }) => [name, priceOf(project, name, at) ?? own]));
    return (model) => prices.get(model);
  }

  function callOf(request: ModelRequest, priceOf: PriceOf | undefined, reservation?: Reservation): SpendingCall {
    let isSettled = reservation === undefined;
    return {
      request,
      priceOf,
      isPaidOnce: reservation !== undefined,
      async settle(tx, use) {
        if (!reservation) return;
        const { candidates } = models.bounds(request.model);
        const own = candidates.find(({ name }) => name === use.model)?.prices;
        const price = priceOf ? priceOf(use.model) : own;
        const { prompt_tokens: input, completion_tokens: output } = use.usage;
        const micros = price ? costInMicros(price, input, output) : 0;
        await windows.settle(tx, reservation, { tokens: tokensOf(use), micros });
        isSettled = true;
      },
      async release() {
        if (isSettled || !reservation) return;
        isSettled = true;
        await db.transaction((tx) => windows.settle(tx, reservation, { tokens: 0, micros: 0 })).catch(() => undefined);
      },
    };
  }

  return {
    /** Reads budgets and prices again: for the notification `SPENDING`. */
    refresh: settings.refresh,

    /** Whether the project has budgets. */
    hasBudgets: async (project: string): Promise<boolean> => (await settings.read()).projects.has(project),

    /**
     * Reserves what a call may cost at most, of every budget that applies. Without any, nothing is sent to the database.
     *
     * @throws BudgetExceeded
     */
    async reserve(spender: Spender, request: ModelRequest): Promise<SpendingCall> {
      const { project } = spender.caller;
      const { projects } = await settings.read();
      const priceOf = await pricesFor(project, request);
      if (!projects.has(project) && spender.budgetId === undefined) return callOf(request, priceOf);
      const bounds = models.bounds(request.model);
      const worst = await worstCaseOf(request, bounds);
      const prices = bounds.candidates.map(({ name, prices: own }) => (priceOf ? priceOf(name) : own));
      const need = { tokens: worst.inputTokens + worst.outputTokens, micros: costAtMost(prices, worst) };
      const reserved = await windows.reserve(payerOf(spender), need, lifeOf(bounds.timeoutMs));
      if (!reserved) return callOf(request, priceOf);
      if ('refusal' in reserved) throw new BudgetExceeded(reserved.refusal);
      return callOf({ ...request, maxTokens: worst.outputTokens }, priceOf, reserved);
    },

    /** Returns what the earlier attempts of a run have reserved. */
    returnOf: windows.returnOf,
  };
}
export type Spending = ReturnType<typeof createSpending>;
