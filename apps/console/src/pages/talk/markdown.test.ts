import { partsOf } from './markdown.js';

const words = (text: string) => [{ kind: 'text', text }];

describe('parsing Markdown', () => {
  it('finds paragraphs, headings, lists and code', () => {
    const text = '# Mills\nOne\ntwo\n\n- a\n- b\n\n3. c\n4. d\n```js\nconst a = "**x**";\n```\nend';
    expect(partsOf(text)).toEqual([
      { kind: 'heading', content: words('Mills') },
      { kind: 'text', content: words('One\ntwo') },
      { kind: 'list', isOrdered: false, start: 1, items: [words('a'), words('b')] },
      { kind: 'list', isOrdered: true, start: 3, items: [words('c'), words('d')] },
      { kind: 'code', text: 'const a = "**x**";' },
      { kind: 'text', content: words('end') },
    ]);
  });

  it('finds emphasis and code in lines, and leaves everything else as text', () => {
    const [part] = partsOf('Use **this**, `2 * 3 * 4` and *that*: 5 * 6 * 7 <b>x</b> [y](javascript:alert(1))');
    expect(part).toEqual({
      kind: 'text',
      content: [
        { kind: 'text', text: 'Use ' },
        { kind: 'strong', text: 'this' },
        { kind: 'text', text: ', ' },
        { kind: 'code', text: '2 * 3 * 4' },
        { kind: 'text', text: ' and ' },
        { kind: 'em', text: 'that' },
        { kind: 'text', text: ': 5 * 6 * 7 <b>x</b> [y](javascript:alert(1))' },
      ],
    });
  });

  it('reads an unfinished code block as code', () => {
    expect(partsOf('So:\n```\nline 1\nline')).toEqual([
      { kind: 'text', content: words('So:') },
      { kind: 'code', text: 'line 1\nline' },
    ]);
  });

  it('takes linear time for hostile input', () => {
    const from = performance.now();
    for (const text of ['*'.repeat(50_000), '`'.repeat(50_000), '**a'.repeat(20_000), '- '.repeat(50_000)])
      partsOf(text);
    expect(performance.now() - from).toBeLessThan(10_000);
  });
});
