import { monitorEventLoopDelay } from 'node:perf_hooks';
import { buildSchemaWorker } from './build-worker.js';
import { checkSchema } from './check-schema.js';
import { createSchemaValidator, type SchemaValidator } from './schema-validator.js';

const times = <Item>(count: number, make: (n: number) => Item) => Array.from({ length: count }, (_, n) => make(n));
const nest = (depth: number, wrap: (inner: object) => object) =>
  times(depth, () => wrap).reduce<object>((inner, around) => around(inner), { type: 'string' });
const nestedList = (depth: number): unknown => (depth === 0 ? 'x' : [nestedList(depth - 1)]);
const nestedObject = (depth: number): unknown => (depth === 0 ? 'x' : { a: nestedObject(depth - 1) });
const chain = (length: number, link: (next: object) => object) => ({
  $ref: '#/definitions/d0',
  definitions: Object.fromEntries([
    ...times(length, (n) => [`d${n}`, link({ $ref: `#/definitions/d${n + 1}` })]),
    [`d${length}`, { type: 'string' }],
  ]) as object,
});

const a = 'a'.repeat(100_000);
const HOSTILE_PATTERNS: [pattern: string, text: string][] = [
  ['^(a+)+$', `${a}!`],
  ['^(a*)*$', `${a}!`],
  ['^(a|a)*$', `${a}!`],
  ['^(a|aa)+$', `${a}!`],
  ['^(a|a?)+$', `${a}!`],
  ['^(a+)*b$', a],
  ['(a+)+b', a],
  ['(x+x+)+y', 'x'.repeat(100_000)],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', a],
  [
    '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$',
    `${a}!`,
  ],
  ['^([a-zA-Z0-9_.-]+)+@example\\.com$', `${a}!`],
  ['^(\\w+\\s?)*$', `${'word '.repeat(20_000)}!`],
  ['^(\\d+)*$', `${'1'.repeat(100_000)}x`],
  ['^(\\s*\\S+\\s*)+$', `${' a'.repeat(50_000)}\n `],
  ['^(.*)*$', `${a}\n`],
  ['^(.*?,){20}P', '1,'.repeat(50_000)],
  ['^(.*?,)+P', '1,'.repeat(50_000)],
  ['(.*a){20}b', a],
  ['(.*)(.*)(.*)(.*)(.*)x', a],
  ['.*.*.*.*=.*', a],
  ['^((ab)*)+$', `${'ab'.repeat(50_000)}c`],
  ['^(ab|a|b)*c$', 'ab'.repeat(50_000)],
  ['^((a{1,10}){1,10}){1,10}$', `${a}!`],
  ['^(a{0,30}){0,30}$', `${a}!`],
  ['(a?){25}a{25}', 'a'.repeat(24)],
  ['(a?){400}a{400}', 'a'.repeat(399)],
  ['^(?:a?){500}a{500}$', a],
  ['^[a-z]{1000}[0-9]$', a],
  ['(a|b|c|d|e|f|g)*h', 'abcdefg'.repeat(14_000)],
  ['^(([^"]|"")*)*$', `${'""'.repeat(50_000)}"`],
  ['<(\\w+)[^>]*>.*</\\w+>', '<a'.repeat(50_000)],
  ['^\\s+|\\s+$', `${' '.repeat(100_000)}x`],
  ['(\\s|\\u00a0)+$', `${' '.repeat(100_000)}x`],
  ['^(?:(?:\\r\\n|\\n)*.)*$', '\r\n'.repeat(50_000)],
  ['^(-?\\d+\\.?\\d*)+$', `${'1'.repeat(100_000)}x`],
  ['^(([0-9a-fA-F]{1,4}:){1,7}|:)+$', `${'a:'.repeat(50_000)}x`],
  ['^(https?:\\/\\/)?([\\w.]+)+(\\/\\w*)*$', `${a}!`],
  ['^([\\w-]+\\.)*[\\w-]+$', `${'a.'.repeat(50_000)}!`],
  ['(?:a|b|ab)*?c', 'ab'.repeat(50_000)],
  ['(?:(?:(?:a*)*)*)*b', a],
  ['^(?:\\p{L}+\\p{M}*)+$', `${'é'.repeat(50_000)}!`],
  ['(\\p{L}|\\p{Lu}|\\p{Ll})+!', a],
  ['^(?!.*(.)\\1)[a-z]+$', a],
  ['(?=(a+))\\1b', a],
  ['(a+)\\1', a],
  ['(?<x>a+)\\k<x>', a],
  ['(?<=a+)b', a],
  ['(?<!a+)b', a],
  ['(?=a*)*b', a],
  ['((a{30}){30}){30}', a],
  ['(a{1000}){1000}', a],
  ['(a{1000}b{1000}){500}', a],
  [times(60, () => '(a{1000})').join(''), a],
  [
    times(120, () => '\\p{L}')
      .join('')
      .slice(0, 510),
    a,
  ],
  ['('.repeat(250) + ')'.repeat(250), a],
  ['('.repeat(30_000) + ')'.repeat(30_000), a],
  ['[' + 'a-z'.repeat(160) + ']*x', a],
  [times(250, () => 'a|').join(''), a],
  ['a{0,1000}'.repeat(50), a],
  ['x*'.repeat(250), 'x'.repeat(1000)],
  ['('.repeat(1000), a],
  ['a{99999999}', a],
  ['a{1,99999999999999999999}', a],
];

const SCHEMA_BOMBS: [name: string, schema: unknown, instance: unknown][] = [
  ['nested anyOf pairs', nest(9, (inner) => ({ anyOf: [inner, inner] })), 1],
  ['nested anyOf pairs, too many', nest(16, (inner) => ({ anyOf: [inner, inner] })), 1],
  ['nested oneOf triples', nest(5, (inner) => ({ oneOf: [inner, inner, inner] })), 'x'],
  ['nested allOf pairs', nest(9, (inner) => ({ allOf: [inner, inner] })), 'x'],
  ['nested not', nest(31, (inner) => ({ not: inner })), 'x'],
  ['nested not, too deep', nest(20_000, (inner) => ({ not: inner })), 'x'],
  ['nested if', nest(9, (inner) => ({ if: inner, then: inner })), 'x'],
  ['doubling references', chain(60, (next) => ({ allOf: [next, next] })), 'x'],
  ['doubling anyOf references that fail', chain(60, (next) => ({ anyOf: [next, next] })), 1],
  ['doubling oneOf references', chain(60, (next) => ({ oneOf: [next, next, next] })), 'x'],
  ['a long chain of references', chain(600, (next) => next), 'x'],
  [
    'recursion doubled at each level',
    { anyOf: [{ items: { $ref: '#' } }, { items: { $ref: '#' } }], not: { const: 'x' } },
    nestedList(60),
  ],
  [
    'recursion doubled through properties',
    { type: 'object', oneOf: [{ properties: { a: { $ref: '#' } } }, { properties: { a: { $ref: '#' } } }] },
    nestedObject(60),
  ],
  [
    'recursion through additionalProperties',
    { additionalProperties: { $ref: '#' }, maxProperties: 1 },
    nestedObject(60),
  ],
  ['a reference to itself', { $ref: '#' }, 1],
  [
    'a cycle of two',
    { $ref: '#/definitions/a', definitions: { a: { $ref: '#/definitions/b' }, b: { $ref: '#/definitions/a' } } },
    1,
  ],
  ['many properties', { properties: Object.fromEntries(times(950, (n) => [`p${n}`, { type: 'string' }])) }, { p1: 1 }],
  [
    'many pattern properties',
    { patternProperties: Object.fromEntries(times(900, (n) => [`^p${n}.*x$`, {}])) },
    { [a]: 1 },
  ],
  ['many required', { required: times(1900, (n) => `p${n}`) }, {}],
  ['many enum values', { enum: times(1900, (n) => `v${n}`) }, 'x'],
  ['enum of large objects', { enum: times(150, (n) => ({ a: { b: { c: { d: n } } } })) }, { a: {} }],
  ['uniqueItems over objects', { uniqueItems: true }, times(20_000, (n) => ({ n, deep: { n } }))],
  ['uniqueItems over mixed lists', { uniqueItems: true, items: {} }, times(20_000, (n) => [n, [n]])],
  ['contains over many items', { contains: { anyOf: times(300, (n) => ({ const: n })) } }, times(50_000, () => 'x')],
  [
    'many items with many alternatives',
    { items: { anyOf: times(400, (n) => ({ const: n })) } },
    times(50_000, () => 399),
  ],
  [
    'propertyNames by a hostile pattern',
    { propertyNames: { pattern: '^(a|aa)+$' } },
    Object.fromEntries(times(2000, (n) => [`${'a'.repeat(200)}${n}`, 1])),
  ],
  [
    'many dependencies',
    { dependencies: Object.fromEntries(times(900, (n) => [`p${n}`, { type: 'object' }])) },
    { p1: 1 },
  ],
  ['one huge string', { description: 'x'.repeat(5_000_000) }, 1],
  ['a wide list', { anyOf: times(500_000, () => true) }, 1],
  ['a remote reference', { $ref: 'http://169.254.169.254/latest/meta-data' }, 1],
  ['a reference to a file', { $ref: 'file:///etc/passwd' }, 1],
  ['a key that pollutes', JSON.parse('{"properties":{"__proto__":{"default":{"polluted":true}}}}'), {}],
  [
    'code in a property name',
    { properties: { '"]; process.exit(1); //': { type: 'string' } }, required: ["'+process.exit(1)+'"] },
    {},
  ],
  [
    'code in a reference',
    { $ref: '#/definitions/a"];process.exit(1)//', definitions: { 'a"];process.exit(1)//': { const: 1 } } },
    2,
  ],
  ['an infinite multipleOf', { multipleOf: 1e-308 }, 1e308],
  ['a negative zero multipleOf', { multipleOf: 0 }, 1],
];

/**
 * Limit of an uninterrupted computation of this thread, in milliseconds. The longest one takes about 50 ms; without the budgets for
 * schemas, it would take seconds.
 */
const LONGEST_STRETCH_MS = 400;

/** Processor time of this thread, in milliseconds. */
const used = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/**
 * Runs `work` and returns two times in milliseconds. `delay` is the longest time in which this thread answered nothing.
 * `stretch` is its longest uninterrupted computation, which does not depend on other load of the machine.
 */
async function longestDuring(work: () => Promise<void>): Promise<{ delay: number; stretch: number }> {
  const resolution = 5;
  const histogram = monitorEventLoopDelay({ resolution });
  histogram.enable();
  await new Promise((resolve) => setTimeout(resolve, 4 * resolution));
  histogram.reset();
  let [before, stretch] = [used(), 0];
  const look = () => {
    const now = used();
    [before, stretch] = [now, Math.max(stretch, now - before)];
  };
  const timer = setInterval(look, resolution);
  await work();
  await new Promise((resolve) => setTimeout(resolve, 4 * resolution));
  clearInterval(timer);
  histogram.disable();
  return { delay: histogram.max / 1e6 - resolution, stretch };
}

describe('schema validator with hostile schemas', () => {
  let validator: SchemaValidator;
  let verdicts: Record<string, number>;

  beforeAll(async () => {
    validator = createSchemaValidator({ workerUrl: await buildSchemaWorker(), patienceMs: 60_000 });
    await validator.of('Core').compile({ pattern: 'warm' });
  });

  beforeEach(() => {
    verdicts = {};
  });

  afterAll(async () => {
    await validator.close();
  });

  /**
   * Checks a value as the API does. A schema that `compile` refuses is never stored, so no value is validated against
   * it.
   */
  async function attack(key: string, schema: unknown, instance: unknown): Promise<void> {
    const faults = await validator.of('Core').compile(schema);
    const result = faults.length > 0 ? undefined : await validator.of('Core').validate(key, schema as object, instance);
    const verdict =
      result === undefined ? 'refused' : result.valid ? 'valid' : (result.faults[0]?.reason ?? '').slice(0, 15);
    verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  }

  const report = (what: string, { delay, stretch }: { delay: number; stretch: number }) =>
    process.stdout.write(
      `${what}: longest event-loop delay ${delay.toFixed(1)} ms, at most ${stretch.toFixed(1)} ms computed at one go, ${JSON.stringify(verdicts)}\n`,
    );

  it(`continues to answer while it checks ${HOSTILE_PATTERNS.length} hostile patterns`, async () => {
    expect(HOSTILE_PATTERNS.length).toBeGreaterThanOrEqual(50);
    const longest = await longestDuring(async () => {
      for (const [pattern, text] of HOSTILE_PATTERNS) await attack(`pattern ${pattern}`, { pattern }, text);
    });
    report('hostile patterns', longest);
    expect(longest.stretch).toBeLessThan(LONGEST_STRETCH_MS);
  });

  it(`continues to answer while it checks ${SCHEMA_BOMBS.length} schema bombs`, async () => {
    expect(SCHEMA_BOMBS.length).toBeGreaterThanOrEqual(20);
    const longest = await longestDuring(async () => {
      for (const [name, schema, instance] of SCHEMA_BOMBS) await attack(`bomb ${name}`, schema, instance);
    });
    report('schema bombs', longest);
    expect(longest.stretch).toBeLessThan(LONGEST_STRETCH_MS);
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  it('continues to answer when all hostile schemas arrive simultaneously, and checks an ordinary schema among them', async () => {
    const bombs = SCHEMA_BOMBS.filter(([, schema]) => checkSchema(schema).length === 0);
    const longest = await longestDuring(async () => {
      const attacks = bombs.map(([name, schema, instance]) =>
        validator.of('Core').validate(`again ${name}`, schema as object, instance),
      );
      await expect(validator.of('Core').validate('honest', { type: 'object' }, {})).resolves.toEqual({ valid: true });
      await Promise.all(attacks);
    });
    report('all bombs at once', longest);
    expect(longest.stretch).toBeLessThan(LONGEST_STRETCH_MS);
  });

  it('checks each hostile schema with checkSchema in a bounded time', () => {
    const schemas = [
      ...HOSTILE_PATTERNS.map(([pattern]) => ({ pattern })),
      ...SCHEMA_BOMBS.map(([, schema]) => schema),
    ];
    const durations = schemas.map((schema) => {
      const start = used();
      checkSchema(schema);
      return used() - start;
    });
    process.stdout.write(`checkSchema: longest ${Math.max(...durations).toFixed(1)} ms\n`);
    expect(Math.max(...durations)).toBeLessThan(LONGEST_STRETCH_MS);
  });

  it('still validates ordinary schemas after all hostile schemas', async () => {
    await expect(validator.of('Core').validate('after', { type: 'string' }, 'x')).resolves.toEqual({ valid: true });
  });
});
