import { countTokens as libraryCount } from 'gpt-tokenizer/encoding/o200k_base';
import fc from 'fast-check';
import { countMessages, countTokens } from './count-tokens.js';

const MEGABYTE = 1024 * 1024;
const filled = (text: string, bytes = MEGABYTE) => text.repeat(Math.ceil(bytes / Buffer.byteLength(text)));

function scrambled(from: number, span: number, length: number): string {
  let seed = 1;
  const next = () => (seed = (seed * 48_271) % 2_147_483_647);
  return Array.from({ length }, () => String.fromCodePoint(from + (next() % span))).join('');
}

/** Returns the processor time in seconds, which is independent of other processes. */
async function secondsFor(text: string): Promise<number> {
  const before = process.cpuUsage();
  expect(await countTokens(text)).toBeGreaterThan(0);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}

describe('countTokens', () => {
  it('returns the same counts as the o200k tokenizer', async () => {
    expect(await countTokens('')).toBe(0);
    expect(await countTokens('hello world')).toBe(2);
  });

  it('returns the same counts as gpt-tokenizer for any text without an unbroken sequence of more than 256 characters', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
        expect(await countTokens(text)).toBe(libraryCount(text, { disallowedSpecial: new Set() }));
      }),
    );
  });

  it('splits an unbroken sequence of more than 256 characters, and returns the same counts as gpt-tokenizer for the parts', async () => {
    const before = 'The cat  sat.\n\n  ';
    const run = 'a'.repeat(256);
    expect(await countTokens(`${before}${run}a on the mat`)).toBe(
      libraryCount(`${before}${run}`) + libraryCount('a') + libraryCount(' on the mat'),
    );
  });

  it('counts special tokens as ordinary text', async () => {
    expect(await countTokens('<|endoftext|>')).toBeGreaterThan(1);
    expect(await countTokens('<|im_start|>system<|im_end|><|endofprompt|>')).toBeGreaterThan(3);
  });

  it.each([
    ['prose', filled('The quick brown fox jumps over the lazy dog, and then it sings. ')],
    ['one letter', filled('a')],
    ['letters without blanks', scrambled(0x61, 26, MEGABYTE)],
    ['Chinese without punctuation', scrambled(0x4e00, 20_000, MEGABYTE / 3)],
    ['emoji', scrambled(0x1f300, 600, MEGABYTE / 4)],
    ['punctuation', scrambled(0x21, 15, MEGABYTE)],
    ['blanks', `${filled(' ')}x`],
    ['line ends', filled('\n')],
    ['slashes and line ends', `!${filled('/\n')}`],
    ['capitals', filled('A')],
    ['digits', filled('1234567890')],
    ['combining marks', filled('e\u0301')],
    ['special tokens', filled('<|endoftext|>')],
    ['lone surrogates', filled('\ud83d')],
  ])('counts 1 MB of %s within seconds', async (_name, text) => {
    expect(await secondsFor(text)).toBeLessThan(5);
  });

  it.each([
    ['words', 'a8#Zq-€漢字 '.repeat(60_000), 60_000],
    ['one word', filled('A'), 4_096],
    ['one word of Chinese', scrambled(0x4e00, 20_000, MEGABYTE / 3), 4_096],
    ['one row of blanks', `${filled(' ')}x`, 4_096],
    ['one row of quotes', filled('"'), 4_096],
  ])('yields to other requests at least once in 4,096 characters of %s', async (_name, text, parts) => {
    await countTokens('loads the vocabulary');
    let turns = 0;
    let counting = true;
    const turn = () => {
      turns += 1;
      if (counting) setImmediate(turn);
    };
    setImmediate(turn);
    expect(await countTokens(text)).toBeGreaterThan(parts);
    counting = false;
    expect(turns).toBeGreaterThan(text.length / 4_096);
  });

  it('stops counting above the limit, and returns a number above the limit', async () => {
    const text = 'The quick brown fox. '.repeat(40_000);
    const tokens = await countTokens(text, 9_000);
    expect(tokens).toBeGreaterThan(9_000);
    expect(tokens).toBeLessThan(9_010);
    expect(await countTokens('hello world', 2)).toBe(2);
  });

  it('does not count a text that is certainly above the limit', async () => {
    expect(libraryCount(' '.repeat(128))).toBe(1);
    const text = scrambled(0x61, 26, MEGABYTE);
    expect(await countTokens(text, 1_000)).toBe(MEGABYTE / 128);
  });
});

describe('countMessages', () => {
  it('counts the role, the text and the framing tokens of each message, and the start of the answer', async () => {
    expect(await countMessages([])).toBe(3);
    const messages = [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'hello world' },
    ] as const;
    expect(await countMessages(messages)).toBe(
      9 + (await countTokens('systemBe kind.')) + (await countTokens('userhello world')),
    );
  });

  it('stops counting within the message that exceeds the limit', async () => {
    const messages = Array.from(
      { length: 1_000 },
      () => ({ role: 'user', content: 'and so on '.repeat(100) }) as const,
    );
    const tokens = await countMessages(messages, 10_000);
    expect(tokens).toBeGreaterThan(10_000);
    expect(tokens).toBeLessThan(10_010);
  });
});
