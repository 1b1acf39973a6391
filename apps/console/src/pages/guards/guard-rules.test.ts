import { actionOf, withAction } from './guard-rules.js';

describe('withAction', () => {
  it('changes one action and keeps the others', () => {
    const rules = { email: { input: 'redact', output: 'flag' }, card: { tools: 'block' } } as const;
    expect(withAction(rules, 'email', 'input', 'block')).toEqual({
      email: { input: 'block', output: 'flag' },
      card: { tools: 'block' },
    });
  });

  it('leaves out rules that are off', () => {
    const rules = withAction({ email: { input: 'redact' } }, 'email', 'input', 'off');
    expect(rules).toEqual({ email: {} });
    expect(actionOf(rules, 'email', 'input')).toBe('off');
  });
});
