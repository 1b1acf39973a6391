import { LONGEST_MARKED, offsetOf, stretchesOf } from './highlight.js';

const sources = new Map([
  ['name', 'input' as const],
  ['nobody', null],
]);

describe('the marks of a template', () => {
  it('are its tokens and literals, and a name that the server does not know', () => {
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

  it('are braces that are no token, where the server found them and they still stand', () => {
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
    'leave the text %j as it is',
    (template) => {
      const shown = stretchesOf(template, sources);
      expect(shown.map(({ text }) => text).join('')).toBe(template);
    },
  );
});

describe('the place of a finding', () => {
  const template = 'one\n\n  {{two';
  it.each([
    [1, 1, 0],
    [2, 1, 4],
    [3, 3, 7],
    [9, 9, template.length],
  ])('line %i, column %i is %i', (line, column, offset) => expect(offsetOf(template, { line, column })).toBe(offset));
});
