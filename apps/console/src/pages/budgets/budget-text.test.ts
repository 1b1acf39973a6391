import { amountText, limitText, spentShare, subjectText } from './budget-text.js';

const window = { starts_on: null, ends_on: null, spent: 5, reserved: 0 };

describe('amountText', () => {
  it('shows dollars with two to six decimals, and tokens as a whole number', () => {
    expect([
      amountText('usd', 12.5),
      amountText('usd', 0.000001),
      amountText('tokens', 1),
      amountText('tokens', 1000),
    ]).toEqual(['$12.50', '$0.000001', '1 token', '1,000 tokens']);
  });
});

describe('limitText', () => {
  it('returns the amount with the period of the budget', () => {
    expect(limitText({ unit: 'usd', amount: 10, period: 'month' })).toBe('$10.00 a month');
  });
});

describe('subjectText', () => {
  it('names the subject of the budget', () => {
    expect(subjectText({ level: 'user', subject: { id: 'usr_1', name: 'Ann' } })).toBe('User Ann');
    expect(subjectText({ level: 'project', subject: null })).toBe('Whole project');
  });
});

describe('spentShare', () => {
  it('returns at most 1 for an exceeded budget, and 1 for a budget of 0', () => {
    expect([
      spentShare({ amount: 10, window }),
      spentShare({ amount: 4, window }),
      spentShare({ amount: 0, window }),
    ]).toEqual([0.5, 1, 1]);
  });
});
