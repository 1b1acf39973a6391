import fc from 'fast-check';
import { inspectTemplate, MOST_FINDINGS } from './inspect-template.js';
import { tokenNames } from './render-template.js';

const inspect = (template: string, ...known: string[]) => inspectTemplate(template, (name) => known.includes(name));
const placesOf = (template: string, ...known: string[]) =>
  inspect(template, ...known).map(({ line, column }) => [line, column]);

describe('inspectTemplate', () => {
  it('reports nothing for known tokens, literals and texts without braces', () => {
    expect(inspect(String.raw`Hi {{ name }}, \{{no token}} {one} }} {{{name}}}`, 'name')).toEqual([]);
  });

  it('reports every place where a token has an unknown name', () => {
    expect(inspect('{{a}}\n to {{b}} and {{b}}', 'a')).toEqual([
      { line: 2, column: 5, reason: expect.stringMatching(/^Unknown variable {{b}}\./) as string },
      { line: 2, column: 15, reason: expect.stringMatching(/^Unknown variable {{b}}\./) as string },
    ]);
  });

  it.each([
    ['{{name', 'is never closed'],
    ['{{ {{name}}', 'is never closed'],
    ['{{first name}}', '"first name" is no name'],
    ['{{1st}}', '"1st" is no name'],
    ['{{}}', '"" is no name'],
    ['{{na\nme}}', 'is no name'],
  ])('reports the fault in %j with its place', (template, reason) => {
    const findings = inspect(template, 'name');
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ line: 1, column: 1, reason: expect.stringContaining(reason) as string });
  });

  it('reports findings in the order of the text, by line and column', () => {
    expect(placesOf('a {{b}}\n{{c\n\n  {{ d e }} {{known}} {{f}}', 'known')).toEqual([
      [1, 3],
      [2, 1],
      [4, 3],
      [4, 23],
    ]);
  });

  it('reports adjacent braces as one finding, and stops at the limit of findings', () => {
    expect(placesOf('{{{{{{{')).toEqual([[1, 1]]);
    expect(inspect('{{x '.repeat(1_000))).toHaveLength(MOST_FINDINGS);
    expect(inspect('{{x}} '.repeat(1_000))).toHaveLength(MOST_FINDINGS);
  });

  it('inspects a megabyte of braces in linear time', () => {
    const from = performance.now();
    for (const part of ['{', '{{', '{{a', '{{a}}', '\n{{', '}}{{ ']) {
      inspect(part.repeat(1_000_000 / part.length));
    }
    expect(performance.now() - from).toBeLessThan(10_000);
  });

  it('reports exactly the braces that are neither a known token nor a literal', () => {
    const part = fc.constantFrom('{{', '}}', '{', '}', 'a', 'b', ' ', '.', '\n', '\\{{', '{{a}}', '{{b}}');
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 30 }).map((parts) => parts.join('')),
        (template) => {
          // The escaped form `\{{` is allowed in templates.
          const isClean = tokenNames(template).every((name) => name === 'a') && !hasBareBraces(template);
          expect(inspect(template, 'a').length === 0).toBe(isClean);
        },
      ),
    );
  });
});

/** Whether two braces begin something other than a token or a literal. */
function hasBareBraces(template: string): boolean {
  return template.split(/\\\{\{|\{\{[ \t]*[A-Za-z_][A-Za-z0-9_.]*[ \t]*\}\}/).some((between) => between.includes('{{'));
}
