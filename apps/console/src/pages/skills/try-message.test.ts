import { messageWith, presetsOf, valueFault } from './try-message.js';

describe('presetsOf', () => {
  it("returns the parameters' defaults", () => {
    const parameters = {
      words: { type: 'integer', default: 200 },
      plain: { type: 'boolean', default: false },
      tone: { type: 'string' },
    } as const;
    expect(presetsOf(parameters)).toEqual({ words: '200', plain: 'false', tone: '' });
  });
});

describe('valueFault', () => {
  it('returns null for a value of the type and for an empty value, and a message for any other value', () => {
    expect(valueFault({ type: 'integer' }, '')).toBeNull();
    expect(valueFault({ type: 'integer' }, '7')).toBeNull();
    expect(valueFault({ type: 'integer' }, '7.5')).toMatch(/number/);
    expect(valueFault({ type: 'boolean' }, 'yes')).toMatch(/true or false/);
  });
});

describe('messageWith', () => {
  it('appends the values that are not empty to the message', () => {
    expect(messageWith(' What is a mill? ', { words: '200', tone: '' })).toBe('What is a mill?\n\nwords: 200');
    expect(messageWith('Hello', {})).toBe('Hello');
  });
});
