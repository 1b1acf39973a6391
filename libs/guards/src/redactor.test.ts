import fc from 'fast-check';
import { CORPUS, HARMLESS } from './test-corpus.js';
import { detectionFor, type Detection } from './detect.js';
import { GUARDS, type BuiltInGuard, type GuardAction } from './guard.js';
import { createGuards } from './guards.js';
import { createRedactor, Findings, redactText, replacementOf } from './redactor.js';

const all = (action: GuardAction) => ({
  rules: Object.fromEntries(GUARDS.map((guard) => [guard, { input: action }])),
  phone_countries: [],
});
const detectionWith = (action: GuardAction): Detection => {
  const detection = detectionFor(all(action), 'input');
  if (!detection) throw new Error('no guard is active');
  return detection;
};
const redaction = detectionWith('redact');

const redact = (text: string) => redactText(redaction, text, new Findings());
function inParts(text: string, sizes: readonly number[]): string {
  const redactor = createRedactor(redaction, new Findings());
  let [redacted, place] = ['', 0];
  for (let index = 0; place < text.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    redacted += redactor.push(text.slice(place, place + size));
    place += size;
  }
  return redacted + redactor.end();
}

describe('redactText', () => {
  it.each(CORPUS.map((entry) => [entry.guard, entry.text, entry.value]))(
    'removes what the guard %s finds in %j',
    async (guard, text, value) => {
      const redacted = await redact(text);
      expect(redacted).toBe(text.replace(value, () => replacementOf(guard)));
    },
  );

  it.each(HARMLESS)('leaves %j unchanged', async (text) => {
    expect(await redact(text)).toBe(text);
  });

  it('finds national telephone numbers of the configured countries only', async () => {
    const german = detectionFor({ rules: { phone: { input: 'redact' } }, phone_countries: ['DE'] }, 'input');
    if (!german) throw new Error('no guard is active');
    const text = 'Büro 030 901820, Zimmer 12.';
    expect(await redactText(german, text, new Findings())).toBe('Büro [removed: phone], Zimmer 12.');
    expect(await redact(text)).toBe(text);
  });

  it('leaves a redacted text unchanged when it is redacted again', async () => {
    for (const { text } of CORPUS) expect(await redact(await redact(text))).toBe(await redact(text));
  });

  it('does not change a text when the action of its guards is flag, and counts the finds of each guard', async () => {
    const findings = new Findings();
    const text = 'a@example.com, b@example.com and +49 151 12345678';
    expect(await redactText(detectionWith('flag'), text, findings)).toBe(text);
    expect(findings.all).toEqual([
      { guard: 'email', action: 'flag', count: 2 },
      { guard: 'phone', action: 'flag', count: 1 },
    ]);
    expect(findings.blockedBy).toBeUndefined();
  });

  it('reports the guard that blocks the text', async () => {
    const findings = new Findings();
    await redactText(detectionWith('block'), 'Pay with 5555555555554444', findings);
    expect(findings.blockedBy).toBe('card');
  });
});

describe('createRedactor', () => {
  it('returns the same text for each text of the corpus, however the text is divided into chunks', () => {
    for (const { text } of CORPUS) {
      const before = `${'Some words. '.repeat(9)}${text} And 12 more words follow, up to the end.`;
      const whole = inParts(before, [before.length]);
      for (const size of [1, 2, 3, 5, 7, 16, 61]) expect(inParts(before, [size])).toBe(whole);
    }
  });

  it('returns the same text for mixed texts and random chunk boundaries', () => {
    const piece = fc.oneof(
      fc.constantFrom(...CORPUS.map(({ text }) => text), ...HARMLESS),
      fc.string({ maxLength: 30 }),
      fc.stringMatching(/^[0-9 +()-]{1,40}$/),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(' ', '\n', ', '),
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 6 }),
        (pieces, between, sizes) => {
          const text = pieces.join(between);
          expect(inParts(text, sizes)).toBe(inParts(text, [text.length]));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('releases harmless words as soon as they are complete', () => {
    const redactor = createRedactor(redaction, new Findings());
    expect(redactor.push('Hello there, how ')).toBe('Hello there, how ');
    expect(redactor.push('are you? Mail a@exa')).toBe('are you? Mail ');
    expect(redactor.push('mple.com now')).toBe('[removed: email] ');
    expect(redactor.end()).toBe('now');
  });

  it('buffers a bounded part of a text without spaces', () => {
    const redactor = createRedactor(redaction, new Findings());
    let [sent, received] = [0, 0];
    for (let part = 0; part < 200; part += 1) {
      received += 1_000;
      sent += redactor.push('x'.repeat(1_000)).length;
      expect(received - sent).toBeLessThan(3_000);
    }
  });
});

/** Returns the CPU time of `work` in milliseconds. */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const HOSTILE: readonly [string, (length: number) => string][] = [
  ['one letter', (length) => 'a'.repeat(length)],
  ['at signs', (length) => '@'.repeat(length)],
  ['names and signs', (length) => 'a@'.repeat(length / 2)],
  ['labels', (length) => `a@${'b.'.repeat(length / 2)}`],
  ['digits', (length) => '1'.repeat(length)],
  ['digits with spaces', (length) => '1 '.repeat(length / 2)],
  ['numbers with a sign', (length) => '+1 1 1 1 '.repeat(length / 9)],
  ['telephone numbers', (length) => '+49 151 1234567 '.repeat(length / 16)],
  ['begins of IBANs', (length) => 'DE12-'.repeat(length / 5)],
  ['begins of keys', (length) => '-----BEGIN PRIVATE KEY-----'.repeat(length / 27)],
  ['hyphens', (length) => '-'.repeat(length)],
  ['begins of tokens', (length) => 'eyJaaaaaaaa.'.repeat(length / 12)],
  ['one long token', (length) => `sk-${'a'.repeat(length)}`],
  ['addresses', (length) => '://a:'.repeat(length / 5)],
  ['words for secrets', (length) => 'password'.repeat(length / 8)],
  ['open quotes', (length) => 'password="'.repeat(length / 10)],
  ['brackets', (length) => '{"a":['.repeat(length / 6)],
];

describe('the CPU time of the redactor', () => {
  it.each(HOSTILE)('grows at most in proportion to the length of the text: %s', (_name, make) => {
    const texts = [make(32_768), make(262_144)] as const;
    // Measures the CPU time for texts whose total length is constant.
    const cpu = (text: string) =>
      cpuOf(() => Array.from({ length: Math.round(262_144 / text.length) }, () => inParts(text, [16_384])));
    cpu(texts[0]);
    const [short, long] = texts.map(cpu);
    // Quadratic work would take eight times as long. Short times are inexact, so the limit has a minimum.
    expect(long).toBeLessThan(Math.max(4 * (short ?? 0), 100));
  });

  it('stays bounded for endlessly overlapping matches, all of which are redacted', () => {
    const redactor = createRedactor(redaction, new Findings());
    const part = '+49 151 1234567 +1 212 555 0123 DE12-DE12-'.repeat(200);
    let sent = '';
    for (let number = 0; number < 30; number += 1) sent += redactor.push(part);
    sent += redactor.end();
    expect(sent).not.toMatch(/1234567|555 0123/);
  });
});

describe('guards of different strictness', () => {
  const guardsWith = (rules: Partial<Record<BuiltInGuard, GuardAction>>) =>
    createGuards([
      {
        rules: Object.fromEntries(
          Object.entries(rules).map(([guard, action]) => [guard, { input: action, output: action, tools: action }]),
        ),
        phone_countries: [],
      },
    ]);

  it.each([
    ['secret=4111111111111111', { secrets: 'flag', card: 'block' }, 'card'],
    ['{"password":"4111111111111111"}', { secrets: 'flag', card: 'block' }, 'card'],
    ['{"password":"4111111111111111"}', { secrets: 'redact', card: 'block' }, 'card'],
    ['password: ann@example.com', { secrets: 'flag', email: 'block' }, 'email'],
    ['{"password":"ann@example.com"}', { secrets: 'flag', email: 'block' }, 'email'],
  ] as const)('let the guard that blocks decide about %j with the rules %j', async (text, rules, guard) => {
    const { value, blocked } = await guardsWith(rules).json('input', text);
    expect(blocked?.guard).toBe(guard);
    expect(value).not.toMatch(/4111|ann@/);
  });

  it.each([
    ['secret=4111111111111111', { secrets: 'flag', card: 'redact' }],
    ['{"password":"ann@example.com"}', { secrets: 'flag', email: 'redact' }],
  ] as const)('redact what one guard redacts and another only flags: %j with the rules %j', async (text, rules) => {
    const { value, blocked } = await guardsWith(rules).json('input', text);
    expect([blocked, value.includes('[removed: ')]).toEqual([undefined, true]);
    expect(value).not.toMatch(/4111|ann@/);
  });

  it('stream a JSON answer in one piece, equal to the stored answer, and prose in pieces as it arrives', async () => {
    const guards = guardsWith({ secrets: 'redact', email: 'redact' });
    for (const [text, parts] of [
      ['{"password":"correcthorse","a":"p\\u0040example.com"}', 1],
      ['Hello there, this is prose of several words. ', 2],
    ] as const) {
      const shown: string[] = [];
      const stream = guards.stream((delta) => shown.push(delta));
      for (const character of text) stream.push(character);
      const { value } = await guards.json('output', text);
      stream.end(value);
      expect(shown.join('')).toBe(value);
      expect(shown.length >= parts).toBe(true);
      expect(value).not.toMatch(/correcthorse|example/);
    }
  });
});
