import { z } from 'zod';
import { MOST_AMOUNT } from './budget.js';

/** Maximum amount that a run may spend, including the runs that its agent starts. */
export const RunBudget = z.discriminatedUnion('unit', [
  z.strictObject({
    unit: z.literal('usd'),
    amount: z.number().positive().max(MOST_AMOUNT.usd).multipleOf(0.000001),
  }),
  z.strictObject({ unit: z.literal('tokens'), amount: z.int().positive().max(MOST_AMOUNT.tokens) }),
]);
export type RunBudget = z.output<typeof RunBudget>;
