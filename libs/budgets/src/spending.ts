import { apiKeyIdOf, type Caller } from '@millwright/auth';
import type { Database, Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { CallBounds, ModelRequest, ModelUse, PriceOf, ProjectModels } from '@millwright/models';
import { amountText } from './budget.js';
import { createSettings } from './settings.js';
import { createWindowStore, type Payer, type Refusal, type Reservation } from './windows.store.js';
import { costAtMost, costInMicros, tokensOf, worstCaseOf } from './worst-case.js';

/** The payer of a model call, and the agent, trigger or prompt for which the call is made. */
export interface Spender extends Pick<Payer, 'agentId' | 'triggerId' | 'run' | 'budgetId'> {
  caller: Caller;
}

/** A model call whose worst case is reserved in the budgets. */
export interface SpendingCall {
  /** The request to send. When budgets apply, it limits the length of the answer. */
  request: ModelRequest;
  /** The prices that the project has set for models; undefined when the prices of the model definitions apply. */
  priceOf: PriceOf | undefined;
  /** Whether budgets apply. If so, a call whose answer was cut off is not repeated, because only the cost of one attempt is reserved. */
  isPaidOnce: boolean;
  /** Counts the call's usage. Call this as the last step of the transaction that records the usage. */
  settle: (tx: Tx, use: ModelUse) => Promise<void>;
  /**
   * Releases the reservation unless the call is settled. Never throws: a reservation that could not be released is
   * released when it expires.
   */
  release: () => Promise<void>;
}

/** Error for a call that needs more than is left of a budget. */
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
    apiKeyId: apiKeyIdOf(caller.credential),
    // The credential id of an access token consists of the ids of its client and its user.
    ...(kind === 'access_token' && { clientId: id.slice(0, id.lastIndexOf(':')) }),
  };
}

/**
 * Lifetime of a reservation in milliseconds: it covers a call for a prompt and the call that repairs its answer, with a
 * margin for a slow process.
 */
const lifeOf = (timeoutMs: number) => 2 * timeoutMs + 120_000;

export interface SpendingDeps {
  db: Database;
  models: ProjectModels;
}

/** Reserves and settles the costs of model calls. */
export function createSpending({ db, models }: SpendingDeps) {
  const windows = createWindowStore(db);
  const settings = createSettings(db);

  /**
   * Returns the current prices of the models that may answer. The prices stay fixed until the call is settled. Returns
   * `undefined` when the project has set no prices.
   */
  async function pricesFor(project: string, { candidates }: CallBounds): Promise<PriceOf | undefined> {
    const { hasPrices, priceOf } = await settings.read();
    if (!hasPrices(project)) return undefined;
    const at = new Date();
    const prices = new Map(candidates.map(({ name, prices: own }) => [name, priceOf(project, name, at) ?? own]));
    return (model) => prices.get(model);
  }

  function callOf(
    request: ModelRequest,
    priceOf: PriceOf | undefined,
    { candidates }: CallBounds,
    reservation?: Reservation,
  ): SpendingCall {
    let isSettled = reservation === undefined;
    return {
      request,
      priceOf,
      isPaidOnce: reservation !== undefined,
      async settle(tx, use) {
        if (!reservation) return;
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
    /** Reloads budgets and prices. Call this when the notification `SPENDING` arrives. */
    refresh: settings.refresh,

    /** Whether the project has budgets. */
    hasBudgets: async (project: string): Promise<boolean> => (await settings.read()).projects.has(project),

    /**
     * Reserves the maximum cost of a call in every budget that applies. When no budget applies, nothing is sent to the
     * database.
     *
     * @throws BudgetExceeded when a budget has not enough left for the call
     */
    async reserve(spender: Spender, request: ModelRequest): Promise<SpendingCall> {
      const { project } = spender.caller;
      const { projects } = await settings.read();
      const bounds = (await models.of(project)).bounds(request.model);
      const priceOf = await pricesFor(project, bounds);
      if (!projects.has(project) && spender.budgetId === undefined) return callOf(request, priceOf, bounds);
      const worst = worstCaseOf(request, bounds);
      const prices = bounds.candidates.map(({ name, prices: own }) => (priceOf ? priceOf(name) : own));
      const need = { tokens: worst.inputTokens + worst.outputTokens, micros: costAtMost(prices, worst) };
      const reserved = await windows.reserve(payerOf(spender), need, lifeOf(bounds.timeoutMs));
      if (!reserved) return callOf(request, priceOf, bounds);
      if ('refusal' in reserved) throw new BudgetExceeded(reserved.refusal);
      return callOf({ ...request, maxTokens: worst.outputTokens }, priceOf, bounds, reserved);
    },

    /** Releases the reservations of a run's earlier attempts. */
    returnOf: windows.returnOf,
  };
}
export type Spending = ReturnType<typeof createSpending>;
