import { LEVELS, MOST_AMOUNT, PERIODS, UNITS } from '@millwright/budgets';
import { endpoint } from '@millwright/http';
import { searchText } from '@millwright/records';
import { z } from 'zod';
import { listOf, ListQuery } from '../lists/list.contract.js';

const Status = z.enum(['active', 'inactive']);

const Window = z.object({
  starts_on: z.iso.date().nullable().meta({ description: 'First day in UTC; null: the budget has no periods' }),
  ends_on: z.iso.date().nullable().meta({ description: 'First day of the next period' }),
  spent: z.number(),
  reserved: z.number().meta({ description: 'What calls under way may still spend' }),
});

export const Budget = z.object({
  id: z.string(),
  name: z.string(),
  level: z.enum(LEVELS),
  subject: z
    .object({ id: z.string(), name: z.string() })
    .nullable()
    .meta({ description: 'The API key, client, user, agent, trigger or run; null for the whole project' }),
  period: z.enum(PERIODS).meta({ description: 'Length of a period; periods start in UTC' }),
  unit: z.enum(UNITS),
  amount: z.number().meta({ description: 'US dollars, with six decimals at most, or tokens' }),
  status: Status,
  window: Window.meta({ description: 'The present period, in the unit of `amount`' }),
  waiting_runs: z.int().meta({ description: 'Runs of agents that wait for it; 1,000 at most are counted' }),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Budget = z.output<typeof Budget>;

const name = z.string().trim().min(1).max(200);
const amount = z.number().min(0).max(MOST_AMOUNT.tokens);

export const NewBudget = z.strictObject({
  name,
  level: z.enum(LEVELS).exclude(['run']),
  subject_id: z.string().min(1).max(2_000).optional().meta({
    description: 'Id of the API key, user, agent or trigger, or the `client_id` of the client; none for `project`',
  }),
  period: z.enum(PERIODS),
  unit: z.enum(UNITS),
  amount: amount.meta({ description: 'US dollars, with six decimals at most, or tokens' }),
  status: Status.default('active'),
});
export type NewBudget = z.output<typeof NewBudget>;

export const BudgetChanges = z.strictObject({ name, amount, status: Status }).partial();
export type BudgetChanges = z.output<typeof BudgetChanges>;

export const BudgetListQuery = ListQuery.extend({
  level: z.enum(LEVELS).exclude(['run']).optional(),
});
export type BudgetListQuery = z.output<typeof BudgetListQuery>;

export const BudgetSubject = z.object({
  id: z.string().meta({ description: 'For `subject_id` of a new budget' }),
  name: z.string(),
  detail: z.string().meta({ description: 'Distinguishes subjects with the same name: an owner, an address or a slug' }),
});
export type BudgetSubject = z.output<typeof BudgetSubject>;

export const BudgetSubjectQuery = z.object({ level: z.enum(LEVELS).exclude(['project', 'run']), search: searchText });
export type BudgetSubjectQuery = z.output<typeof BudgetSubjectQuery>;

const params = z.object({ budget_id: z.string() });
const one = { status: 200, description: 'The budget', body: Budget } as const;
const budgets = { tag: 'Budgets', limit: 'credential', access: { scope: 'admin' } } as const;

export const listBudgets = endpoint({
  ...budgets,
  operationId: 'listBudgets',
  method: 'GET',
  path: '/api/v1/budgets',
  summary: 'List the budgets of the project, without those of single runs',
  query: BudgetListQuery,
  success: { status: 200, description: 'A page of budgets', body: listOf(Budget) },
  errors: [],
});

export const listOwnBudgets = endpoint({
  ...budgets,
  access: { scope: 'agents:read' },
  operationId: 'listOwnBudgets',
  method: 'GET',
  path: '/api/v1/budgets/mine',
  summary: 'List the budgets that are yours: of your account, your API keys and your triggers, 200 at most',
  success: { status: 200, description: 'The budgets', body: z.object({ items: z.array(Budget) }) },
  errors: [],
});

export const listBudgetSubjects = endpoint({
  ...budgets,
  operationId: 'listBudgetSubjects',
  method: 'GET',
  path: '/api/v1/budgets/subjects',
  summary: 'List what a budget of a level may be of, by name: the first 50',
  query: BudgetSubjectQuery,
  success: { status: 200, description: 'The subjects', body: z.object({ items: z.array(BudgetSubject) }) },
  errors: [],
});

export const createBudget = endpoint({
  ...budgets,
  operationId: 'createBudget',
  method: 'POST',
  path: '/api/v1/budgets',
  summary: 'Create a budget, which counts from now on',
  body: NewBudget,
  success: { status: 201, description: 'The new budget', body: Budget },
  errors: ['conflict', 'quota_exceeded'],
});

export const getBudget = endpoint({
  ...budgets,
  operationId: 'getBudget',
  method: 'GET',
  path: '/api/v1/budgets/{budget_id}',
  summary: 'Retrieve a budget',
  params,
  success: one,
  errors: [],
});

export const updateBudget = endpoint({
  ...budgets,
  operationId: 'updateBudget',
  method: 'PATCH',
  path: '/api/v1/budgets/{budget_id}',
  summary: 'Change a budget. Runs that wait for it go on once it has room.',
  params,
  body: BudgetChanges,
  success: one,
  errors: ['precondition_failed'],
});

export const deleteBudget = endpoint({
  ...budgets,
  operationId: 'deleteBudget',
  method: 'DELETE',
  path: '/api/v1/budgets/{budget_id}',
  summary: 'Delete a budget. Runs that wait for it go on.',
  params,
  success: { status: 204, description: 'Deleted' },
  errors: ['conflict', 'precondition_failed'],
});
