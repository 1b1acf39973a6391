import { foldedText } from './folded-text.js';

describe('foldedText', () => {
  it('keeps a short text whole', () => {
    expect(foldedText('a\nb')).toEqual({ text: 'a\nb', hidden: 0 });
    const little = `${'x'.repeat(1_200)}${'y'.repeat(79)}`;
    expect(foldedText(little)).toEqual({ text: little, hidden: 0 });
  });

  it('cuts a long text after 14 lines or 1,200 characters, and counts the remaining characters', () => {
    expect(foldedText('x'.repeat(1_500))).toEqual({ text: 'x'.repeat(1_200), hidden: 300 });
    const lines = Array.from({ length: 40 }, (_, n) => `line ${n + 10}`).join('\n');
    const { text, hidden } = foldedText(lines);
    expect(text.split('\n')).toHaveLength(14);
    expect(hidden).toBe(lines.length - text.length);
  });
});
