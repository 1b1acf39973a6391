export {
  amountText,
  fromCounted,
  LEVELS,
  SHARED_LEVELS,
  MOST_AMOUNT,
  MOST_BUDGETS,
  MOST_PRICES,
  PERIODS,
  SPENDING,
  toCounted,
  UNITS,
  windowStart,
  type Level,
  type Period,
  type Unit,
} from './budget.js';
export { BudgetExceeded, createSpending, type Spender, type Spending, type SpendingCall } from './spending.js';
export { RunBudget } from './run-budget.schema.js';
export { createRunBudgets, type RunBudgets } from './run-budgets.store.js';
export { returnExpired, type Refusal } from './windows.store.js';
