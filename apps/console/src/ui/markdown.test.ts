import { parseMarkdown, type Block, type Inline } from './markdown.js';

const text = (words: string): Inline => ({ kind: 'text', text: words });
const paragraph = (...content: Inline[]): Block => ({ kind: 'paragraph', content });

/** Returns all addresses in a tree. */
const addressesIn = (tree: unknown): string[] =>
  [...JSON.stringify(tree).matchAll(/"href":"((?:[^"\\]|\\.)*)"/g)].map(([, href = '']) => href);

describe('parseMarkdown', () => {
  it('reads headings, paragraphs, lists, quotes, rules and code with its language', () => {
    const blocks = parseMarkdown(
      '# Mills\nOne\ntwo\n\n- a\n  - b\n\n3. c\n4. d\n\n> q\n\n---\n```js\nlet a = "**x**";\n```\nend',
    );
    expect(blocks).toEqual([
      { kind: 'heading', content: [text('Mills')] },
      paragraph(text('One\ntwo')),
      {
        kind: 'list',
        start: undefined,
        items: [[paragraph(text('a')), { kind: 'list', start: undefined, items: [[paragraph(text('b'))]] }]],
      },
      { kind: 'list', start: 3, items: [[paragraph(text('c'))], [paragraph(text('d'))]] },
      { kind: 'quote', content: [paragraph(text('q'))] },
      { kind: 'rule' },
      { kind: 'code', language: 'js', text: 'let a = "**x**";' },
      paragraph(text('end')),
    ]);
  });

  it('reads tables with the alignment of their columns', () => {
    expect(parseMarkdown('| Grain | kg |\n|:--|--:|\n| **rye** | 5 |')).toEqual([
      {
        kind: 'table',
        head: [
          { align: 'left', content: [text('Grain')] },
          { align: 'right', content: [text('kg')] },
        ],
        rows: [
          [
            { align: 'left', content: [{ kind: 'strong', content: [text('rye')] }] },
            { align: 'right', content: [text('5')] },
          ],
        ],
      },
    ]);
  });

  it('reads emphasis, code, links, tasks and character references', () => {
    expect(parseMarkdown('*a* **b** ~~c~~ `d` [e](https://x.org/y) https://z.org 5 &lt; 6 &#8364; &nope;')).toEqual([
      paragraph(
        { kind: 'em', content: [text('a')] },
        text(' '),
        { kind: 'strong', content: [text('b')] },
        text(' '),
        { kind: 'del', content: [text('c')] },
        text(' '),
        { kind: 'code', text: 'd' },
        text(' '),
        { kind: 'link', href: 'https://x.org/y', content: [text('e')] },
        text(' '),
        { kind: 'link', href: 'https://z.org', content: [text('https://z.org')] },
        text(' 5 < 6 € &nope;'),
      ),
    ]);
    expect(parseMarkdown('- [x] done\n- [ ] open')).toMatchObject([
      { items: [[{ content: [text('☑ '), text('done')] }], [{ content: [text('☐ '), text('open')] }]] },
    ]);
  });

  it('parses an image as a link with the text of the image, and an unfinished code block as code', () => {
    expect(parseMarkdown('![A mill](https://x.org/m.png)')).toEqual([
      paragraph({ kind: 'link', href: 'https://x.org/m.png', content: [text('A mill')] }),
    ]);
    expect(parseMarkdown('So:\n```\nline 1\nline')).toEqual([
      paragraph(text('So:')),
      { kind: 'code', language: '', text: 'line 1\nline' },
    ]);
  });

  it.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](java&#115;cript:alert(1))',
    '[x](&#x6A;avascript:alert(1))',
    '[x](java\tscript:alert(1))',
    '[x]( javascript:alert(1))',
    '[x](<javascript:alert(1)>)',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](vbscript:msgbox)',
    '[x](file:///etc/passwd)',
    '[x](//evil.example)',
    '[x](/admin/api/sign-out)',
    '<javascript:alert(1)>',
    '![x](javascript:alert(1))',
    '![x](data:image/svg+xml;base64,AAAA)',
    '[x][y]\n\n[y]: javascript:alert(1)',
    '<a href="javascript:alert(1)">x</a>',
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '<iframe src="https://evil.example">',
  ])('parses %s as text, without a link to its address', (hostile) => {
    const blocks = parseMarkdown(hostile);
    expect(addressesIn(blocks).filter((href) => href !== 'https://evil.example')).toEqual([]);
    expect(JSON.stringify(blocks)).toMatch(/x|script|evil/);
  });

  it.each([
    ['10,000 nested quotes', '>'.repeat(10_000)],
    ['10,000 nested quotes with spaces', '> '.repeat(10_000)],
    ['10,000 nested lists', '- + '.repeat(5_000)],
    ['10,000 numbers', '1. '.repeat(10_000)],
    [
      '300 lists inside each other',
      Array.from({ length: 300 }, (_, depth) => `${' '.repeat(2 * depth)}- a`).join('\n'),
    ],
    ['a line of a megabyte', 'word '.repeat(200_000)],
    ['a megabyte of stars', '*'.repeat(1_000_000)],
    ['a megabyte of brackets', '['.repeat(1_000_000)],
    ['a megabyte of unclosed emphasis', '**a'.repeat(333_333)],
    ['a megabyte of backticks', '`a``'.repeat(250_000)],
    ['a megabyte of cells', '|a'.repeat(500_000)],
    ['many table rows', `|a|\n|-|\n${'|b|\n'.repeat(20_000)}`],
  ])('parses %s in limited time and to a limited depth, and loses no letter', (_name, hostile) => {
    const ordinary = '**Bold** and *slanted* `code` with [a link](https://a.example).\n\n- one\n- two\n\n'.repeat(
      1_300,
    );
    parseMarkdown(ordinary);
    const usual = cpuOf(() => parseMarkdown(ordinary));
    let blocks: ReturnType<typeof parseMarkdown> = [];
    expect(cpuOf(() => (blocks = parseMarkdown(hostile)))).toBeLessThan(20 * usual);
    expect(depthOf(blocks)).toBeLessThan(60);
    const words = hostile.replaceAll(/[^a-z]/g, '').length;
    const kept = [...JSON.stringify(blocks).matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)]
      .map(([, kept = '']) => kept)
      .join('');
    expect(kept.replaceAll(/\\./g, '').replaceAll(/[^a-z]/g, '').length).toBe(words);
  });
});

/** Returns the CPU time of an action in microseconds. */
function cpuOf(action: () => unknown): number {
  const before = process.cpuUsage();
  action();
  return process.cpuUsage(before).user;
}

function depthOf(tree: unknown): number {
  if (typeof tree !== 'object' || tree === null) return 0;
  return 1 + Math.max(0, ...Object.values(tree).map(depthOf));
}
