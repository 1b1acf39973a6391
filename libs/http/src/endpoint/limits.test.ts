import { callerLimits, planLimits } from './limits.js';

describe('the budgets of an address', () => {
  it('are separate for each service, and each service has a further budget for sign-ins', () => {
    const all = [
      planLimits('platform'),
      planLimits('prompt'),
      callerLimits({ name: 'admin', limit: 300, per: 'session' }),
    ];
    const budgets = all.flatMap(({ budgets: { anonymous, signIn } }) => [anonymous, signIn]);
    expect(new Set(budgets.map((budget) => budget?.name)).size).toBe(6);
    expect(budgets.map((budget) => budget?.limit)).toEqual([100, 600, 100, 600, 100, 600]);
  });
});
