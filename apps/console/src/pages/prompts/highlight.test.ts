import { LONGEST_MARKED, offsetOf, stretchesOf } from './highlight.js';

const sources = new Map([
  ['name', 'input' as const],
  ['nobody', null],
]);

describe('the marks of a template', () => {
  it('cover tokens, literals and unknown names', () => {
    expect(stretchesOf(String.raw`Hi {{ name }}, {{nobody}} \{{x}} {{new}}`, sources)).toEqual([
      { text: 'Hi ' },
      { text: '{{ name }}', kind: 'token' },
      { text: ', ' },
      { text: '{{nobody}}', kind: 'unknown' },
      { text: ' ' },
      { text: String.raw`\{{`, kind: 'literal' },
      { text: 'x}} ' },
      { text: '{{new}}', kind: 'token' },
    ]);
  });

  it('cover braces that the server reported as faulty, unless the text at the reported position has changed since', () => {
    const findings = [
      { line: 1, column: 4 },
      { line: 1, column: 1 },
      { line: 2, column: 3 },
    ];
    expect(stretchesOf('a {{x\n{ {{', new Map(), findings)).toEqual([
      { text: 'a {{x\n{ ' },
      { text: '{{', kind: 'unknown' },
    ]);
  });

  it.each(['', '{{', '{{name', '{{{{name}}}}', 'a\n\n{{name}}\n', 'x'.repeat(LONGEST_MARKED + 1)])(
    'leave the text %j unchanged',
    (template) => {
      const shown = stretchesOf(template, sources);
      expect(shown.map(({ text }) => text).join('')).toBe(template);
    },
  );
});

describe('offsetOf', () => {
  const template = 'one\n\n  {{two';
  it.each([
    [1, 1, 0],
    [2, 1, 4],
    [3, 3, 7],
    [9, 9, template.length],
  ])('finds line %i, column %i at offset %i', (line, column, offset) =>
    expect(offsetOf(template, { line, column })).toBe(offset),
  );
});
