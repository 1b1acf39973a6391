import fc from 'fast-check';
import {
  LONGEST_RENDERED_TEXT,
  neededPrefixes,
  RenderedTextTooLong,
  renderTemplate,
  tokenNames,
  type RenderValues,
} from './render-template.js';

const values = (changes: Partial<RenderValues> = {}): RenderValues => ({
  message: undefined,
  history: [],
  referencedContent: undefined,
  structuredData: {},
  blocks: new Map(),
  inputProperties: new Set(),
  ...changes,
});

const withInput = (structuredData: Record<string, unknown>, changes: Partial<RenderValues> = {}) =>
  values({ structuredData, inputProperties: new Set(Object.keys(structuredData)), ...changes });

const render = (template: string, given: RenderValues) => renderTemplate(template, given).text;

describe('renderTemplate', () => {
  it('fills the built-in tokens', () => {
    const given = values({
      message: 'Hi',
      history: [
        { role: 'user', content: 'one' },
        { role: 'assistant', content: 'two' },
      ],
      referencedContent: 'the page',
    });
    expect(renderTemplate('{{message}}|{{conversation.history}}|{{referenced_content}}', given)).toEqual({
      text: 'Hi|user: one\nassistant: two|the page',
      tokens: ['message', 'conversation.history', 'referenced_content'],
      warnings: [],
    });
  });

  it('fills a token with a property of the input or with the block of that name', () => {
    const given = withInput({ tone: 'kind' }, { blocks: new Map([['rules', 'Be brief.']]) });
    expect(render('{{tone}}: {{rules}}', given)).toBe('kind: Be brief.');
  });

  it('prefers a built-in value to an input property of the same name, and an input property to a block of the same name', () => {
    const blocks = new Map([
      ['message', 'block'],
      ['tone', 'block'],
    ]);
    expect(
      render('{{message}} {{tone}}', withInput({ message: 'data', tone: 'data' }, { message: 'sent', blocks })),
    ).toBe('sent data');
  });

  it('fills a token without a built-in value from the input, or from a block when the input has no value for the token', () => {
    const given = withInput({ message: 'from the data' }, { blocks: new Map([['tone', 'block']]) });
    const declared = { ...given, inputProperties: new Set(['message', 'tone']) };
    expect(render('{{message}} {{tone}}', declared)).toBe('from the data block');
  });

  it('does not insert a value of the structured data whose name is not a declared input property', () => {
    expect(renderTemplate('{{secret}}', values({ structuredData: { secret: 'x' } }))).toEqual({
      text: '{{secret}}',
      tokens: ['secret'],
      warnings: ['{{secret}} is not defined and was left unchanged.'],
    });
  });

  it('resolves dotted names inside objects and lists', () => {
    const given = withInput({ user: { name: 'Ada', tags: ['x', 'y'] }, 'a.b': 'whole' });
    expect(render('{{user.name}} {{user.tags.1}} {{a.b}}', given)).toBe('Ada y whole');
  });

  it.each([
    'user.constructor',
    'user.toString',
    'user.__proto__',
    'constructor',
    'user.tags.length',
    'user.name.length',
  ])('leaves {{%s}} unchanged, because inherited properties are not read', (name) => {
    const given = withInput({ user: { name: 'Ada', tags: [] } });
    const declared = { ...given, inputProperties: new Set(['user', 'constructor']) };
    expect(render(`{{${name}}}`, declared)).toBe(`{{${name}}}`);
  });

  it('writes values that are not strings as canonical JSON', () => {
    const given = withInput({ n: 1.5, yes: true, none: null, deep: { b: [1, { d: 1, c: 2 }], a: 'x"' } });
    expect(render('{{n}} {{yes}} {{none}} {{deep}}', given)).toBe('1.5 true null {"a":"x\\"","b":[1,{"c":2,"d":1}]}');
  });

  it('leaves a token without a value unchanged and warns once', () => {
    const given = values({ inputProperties: new Set(['tone']) });
    expect(renderTemplate('{{tone}} {{nobody}} {{message}} {{ tone }}', given)).toEqual({
      text: '{{tone}} {{nobody}} {{message}} {{ tone }}',
      tokens: ['tone', 'nobody', 'message'],
      warnings: [
        'No value for {{tone}}: it was left unchanged.',
        '{{nobody}} is not defined and was left unchanged.',
        'No value for {{message}}: it was left unchanged.',
      ],
    });
  });

  it('renders an empty history as an empty text', () => {
    expect(renderTemplate('[{{conversation.history}}]', values())).toMatchObject({ text: '[]', warnings: [] });
  });

  it.each([
    ['\\{{message}}', '{{message}}'],
    ['\\{{ {{message}}', '{{ Hi'],
    ['{{  message\t}}', 'Hi'],
    ['{{{message}}}', '{Hi}'],
    ['{"a":{{message}}}', '{"a":Hi}'],
    ['{{message', '{{message'],
    ['{{message}', '{{message}'],
    ['{{ message }} }}', 'Hi }}'],
    ['{{1a}} {{}} {{a-b}} {{a b}}', '{{1a}} {{}} {{a-b}} {{a b}}'],
    ['{{mes\nsage}}', '{{mes\nsage}}'],
    ['{{{{message}}', '{{Hi'],
  ])('renders %j as %j', (template, text) => {
    expect(render(template, values({ message: 'Hi' }))).toBe(text);
  });

  it('does not expand tokens or replacement patterns in inserted text', () => {
    const given = withInput({ a: '{{message}}$&$1$$' }, { message: '{{a}}', blocks: new Map([['b', '{{a}}']]) });
    expect(render('{{a}} {{message}} {{b}}', given)).toBe('{{message}}$&$1$$ {{a}} {{a}}');
  });

  it('refuses a text that would exceed the length limit', () => {
    const given = values({ message: 'x'.repeat(LONGEST_RENDERED_TEXT / 4) });
    expect(render('{{message}}'.repeat(4), given)).toHaveLength(LONGEST_RENDERED_TEXT);
    expect(() => renderTemplate(`{{message}}`.repeat(5), given)).toThrow(RenderedTextTooLong);
  });
});

describe('tokenNames', () => {
  it('returns each token name once, in the order of the text', () => {
    expect(tokenNames('{{b}} {{ a.c }} {{b}} \\{{not}} {{open')).toEqual(['b', 'a.c']);
  });
});

const name = fc.constantFrom(
  'message',
  'conversation.history',
  'referenced_content',
  'tone',
  'user.name',
  'rules',
  'nobody',
);
const token = name.map((text) => `{{${text}}}`);
const noise = fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('{{', '}}', '\\{{', '{', '{{ ', '$&'), token);
const template = fc.array(fc.oneof(token, noise), { maxLength: 30 }).map((parts) => parts.join(''));
const someValues = fc.record({
  message: fc.option(noise, { nil: undefined }),
  history: fc.array(fc.record({ role: fc.constant('user'), content: noise }), { maxLength: 3 }),
  referencedContent: fc.option(noise, { nil: undefined }),
  structuredData: fc.record(
    { tone: fc.oneof(noise, fc.jsonValue()), user: fc.record({ name: noise }) },
    { requiredKeys: [] },
  ),
  blocks: fc.option(noise, { nil: undefined }).map((text) => new Map(text === undefined ? [] : [['rules', text]])),
  inputProperties: fc.constantFrom(new Set(['tone', 'user']), new Set<string>()),
}) satisfies fc.Arbitrary<RenderValues>;

function reversedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversedKeys(member)]),
  );
}

describe('properties of rendering', () => {
  it('never expands inserted text, whatever the text contains', () => {
    fc.assert(
      fc.property(template, someValues, (text, given) => {
        const inert = (value: string) => value.replaceAll('{', '\u0001').replaceAll('\\', '\u0002');
        const disarmed: RenderValues = {
          ...given,
          message: given.message === undefined ? undefined : inert(given.message),
          history: given.history.map(({ role, content }) => ({ role, content: inert(content) })),
          referencedContent: given.referencedContent === undefined ? undefined : inert(given.referencedContent),
          structuredData: {},
          blocks: new Map([...given.blocks].map(([prefix, content]) => [prefix, inert(content)])),
        };
        const armed = renderTemplate(text, { ...given, structuredData: {} });
        const safe = renderTemplate(text, disarmed);
        expect(inert(armed.text)).toBe(inert(safe.text));
        expect(armed.warnings).toEqual(safe.warnings);
      }),
    );
  });

  it("returns the same text for the same input, whatever the order of the input's keys", () => {
    fc.assert(
      fc.property(template, someValues, (text, given) => {
        const turned = { ...given, structuredData: reversedKeys(given.structuredData) as Record<string, unknown> };
        expect(renderTemplate(text, turned)).toEqual(renderTemplate(text, given));
      }),
    );
  });

  it('fills each token or names the token in a warning', () => {
    fc.assert(
      fc.property(template, someValues, (text, given) => {
        const { tokens, warnings } = renderTemplate(text, given);
        expect(tokens).toEqual(tokenNames(text));
        for (const found of tokens) {
          const alone = `{{${found}}}`;
          const left = renderTemplate(alone, given).warnings.length === 1;
          expect(warnings.some((warning) => warning.includes(`{{${found}}}`))).toBe(left);
          if (left) expect(render(alone, given)).toBe(alone);
        }
      }),
    );
  });
});

describe('rendering under load', () => {
  const MEGABYTE = 1024 * 1024;
  const fill = (text: string) => text.repeat(Math.floor(MEGABYTE / text.length));

  it('fills 10,000 tokens in 1 MB within five seconds', () => {
    const start = performance.now();
    const { text } = renderTemplate(`${'x'.repeat(93)}{{tone}}`.repeat(10_000), withInput({ tone: 'kind' }));
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(text).toHaveLength(970_000);
  });

  it('warns about 10,000 different unknown tokens', () => {
    const many = Array.from({ length: 10_000 }, (_, n) => `{{t${n}}}`).join('');
    expect(renderTemplate(many, values()).warnings).toHaveLength(10_000);
  });

  it.each([
    ['opening braces', fill('{')],
    ['opening braces and blanks', fill('{{ ')],
    ['one blank token', `{{${fill(' ')}`],
    ['one endless name', `{{${fill('a')}`],
    ['names and blanks', `{{${fill('a')}${fill(' ')}`],
    ['unclosed tokens', fill('{{message')],
    ['half closed tokens', fill('{{message}')],
    ['backslashes', fill('\\')],
    ['dots', `{{a${fill('.')}}}`],
  ])('renders 1 MB of %s in linear time', (_name, text) => {
    const start = performance.now();
    expect(render(text, values({ message: 'x', inputProperties: new Set(['a']) }))).toBe(text);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

describe('neededPrefixes', () => {
  const templates = { static: '{{tone}} {{tone}}', state: '{{conversation.history}}', dynamic: '{{message}} {{name}}' };

  it('returns the tokens that neither a built-in value nor the input fills, each token once', () => {
    expect(neededPrefixes(templates, values())).toEqual(['tone', 'message', 'name']);
    expect(neededPrefixes(templates, withInput({ name: 'Bo' }, { message: 'Hi' }))).toEqual(['tone']);
    expect(neededPrefixes(templates, withInput({ name: null, tone: '' }, { message: '' }))).toEqual([]);
  });

  it('returns every token that a block would fill', () => {
    const token = fc.constantFrom('message', 'tone', 'name', 'referenced_content', 'name.first');
    const given = fc.record({
      message: fc.option(fc.string(), { nil: undefined }),
      structuredData: fc.dictionary(fc.constantFrom('name', 'tone'), fc.oneof(fc.string(), fc.constant(null))),
      inputProperties: fc.uniqueArray(fc.constantFrom('name', 'tone', 'message')),
    });
    fc.assert(
      fc.property(token, given, (name, { inputProperties, ...some }) => {
        const all = values({ ...some, inputProperties: new Set(inputProperties) });
        const dynamic = `{{${name}}}`;
        const isFilled = render(dynamic, { ...all, blocks: new Map([[name, 'a block']]) }) === 'a block';
        const isNeeded = neededPrefixes({ static: '', state: '', dynamic }, all).includes(name);
        expect(isNeeded).toBe(isFilled && !name.includes('.'));
      }),
    );
  });
});
