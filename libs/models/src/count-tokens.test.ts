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

/** Of a processor, however many wait for one. */
async function secondsFor(text: string): Promise<number> {
  const before = process.cpuUsage();
  expect(await countTokens(text)).toBeGreaterThan(0);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}

describe('countTokens', () => {
  it('counts as the o200k tokenizer does', async () => {
    expect(await countTokens('')).toBe(0);
    expect(await countTokens('hello world')).toBe(2);
  });

  it('agrees with the library on any text without very long runs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
        expect(await countTokens(text)).toBe(libraryCount(text, { disallowedSpecial: new Set() }));
      }),
    );
  });

  it('agrees with the library around a long run', async () => {
    const before = 'The cat  sat.\n\n  ';
    const run = 'a'.repeat(256);
    expect(await countTokens(`${before}${run}a on the mat`)).toBe(
      libraryCount(`${before}${run}`) + libraryCount('a') + libraryCount(' on the mat'),
    );
  });

  it('takes special tokens for ordinary text', async () => {
    expect(await countTokens('<|endoftext|>')).toBeGreaterThan(1);
    expect(await countTokens('<|im_start|>system<|im_end|><|endofprompt|>')).toBeGreaterThan(3);
  });

  it.each([
    ['prose', filled('The quick brown fox jumps over the lazy dog, and then it sings. ')],
    ['one letter', filled('a')],
    ['no blanks', scrambled(0x61, 26, MEGABYTE)],
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

  it('lets others have their turn while it counts a long text', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    expect(await countTokens('a8#Zq-€漢字 '.repeat(60_000))).toBeGreaterThan(60_000);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });
});

describe('countMessages', () => {
  it('counts role, text and frame of each message, and the beginning of the answer', async () => {
    expect(await countMessages([])).toBe(3);
    const messages = [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'hello world' },
    ] as const;
    expect(await countMessages(messages)).toBe(
      9 + (await countTokens('systemBe kind.')) + (await countTokens('userhello world')),
    );
  });
});
