import type { McpToolRule } from '../../api/platform-records.js';
import { changedRules, inParts, marksOf, withSuggestions } from './rule-text.js';

const tool = (name: string, changes: Partial<McpToolRule> = {}): McpToolRule => ({
  ...{ name, hash: name.repeat(2), repeatable: false, rule: null, is_current: false, other_decider: false },
  ...{ effective: 'ask', suggested: 'ask' },
  ...changes,
});

describe('changedRules', () => {
  it('contains each tool whose rule or decider was changed, with the hash of the definition that was shown', () => {
    const tools = [tool('read'), tool('send', { rule: 'ask', is_current: true }), tool('pay')];
    const marks = { ...marksOf(tools), read: { rule: 'allow', other_decider: false, repeatable: false } } as const;
    expect(changedRules(tools, marksOf(tools))).toEqual([]);
    expect(changedRules(tools, { ...marks, pay: { rule: null, other_decider: true, repeatable: true } })).toEqual([
      { name: 'read', hash: 'readread', rule: 'allow', other_decider: false, repeatable: false },
      { name: 'pay', hash: 'paypay', rule: null, other_decider: true, repeatable: true },
    ]);
  });

  it('contains a tool whose mark `repeatable` was set or removed', () => {
    const tools = [tool('read', { rule: 'allow', is_current: true }), tool('send', { repeatable: true })];
    const marks = marksOf(tools);
    const read = { rule: 'allow', other_decider: false, repeatable: true } as const;
    const send = { rule: null, other_decider: false, repeatable: false };
    expect(changedRules(tools, { ...marks, read, send })).toEqual([
      { name: 'read', hash: 'readread', ...read },
      { name: 'send', hash: 'sendsend', ...send },
    ]);
  });

  it('contains a tool whose definition has changed since an admin marked the tool', () => {
    const tools = [tool('send', { rule: 'allow', is_current: false })];
    expect(changedRules(tools, marksOf(tools))).toHaveLength(1);
  });
});

describe('withSuggestions', () => {
  it('adds the suggested rule only to tools that have no rule', () => {
    const tools = [
      tool('read', { suggested: 'allow' }),
      tool('send'),
      tool('pay', { rule: 'deny', is_current: true, suggested: 'ask' }),
    ];
    expect(withSuggestions(tools, marksOf(tools))).toEqual({
      read: { rule: 'allow', other_decider: false, repeatable: false },
      send: { rule: 'ask', other_decider: false, repeatable: false },
      pay: { rule: 'deny', other_decider: false, repeatable: false },
    });
  });
});

describe('inParts', () => {
  it('splits a list into parts of at most the given size', () => {
    expect(inParts([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
    expect(inParts([], 2)).toEqual([]);
  });
});
