import { actionOf, actionsFrom, stricterAction, withAction } from './guard-rules.js';

describe('withAction', () => {
  it('changes one action and keeps the other actions', () => {
    const rules = { email: { input: 'redact', output: 'flag' }, card: { tools: 'block' } } as const;
    expect(withAction(rules, 'email', 'input', 'block')).toEqual({
      email: { input: 'block', output: 'flag' },
      card: { tools: 'block' },
    });
  });

  it('leaves out a rule whose action is off', () => {
    const rules = withAction({ email: { input: 'redact' } }, 'email', 'input', 'off');
    expect(rules).toEqual({ email: {} });
    expect(actionOf(rules, 'email', 'input')).toBe('off');
  });
});

describe('the rules of an agent', () => {
  it("apply the project's action if the agent's own action is less strict", () => {
    const [own, project] = [{ email: { input: 'flag', output: 'block' } }, { email: { input: 'redact' } }] as const;
    expect(stricterAction(own, project, 'email', 'input')).toBe('redact');
    expect(stricterAction(own, project, 'email', 'output')).toBe('block');
  });

  it("can only be set to actions that are at least as strict as the project's action", () => {
    expect(actionsFrom('redact').map(({ value, disabled }) => [value, disabled])).toEqual([
      ['off', true],
      ['flag', true],
      ['redact', false],
      ['block', false],
    ]);
  });
});
