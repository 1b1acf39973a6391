import { setImmediate } from 'node:timers/promises';
import { countTokens } from './count-tokens.js';

it('countTokens yields to other requests while it loads the vocabulary', async () => {
  const counted = { tokens: 0 };
  const counting = countTokens('hello world').then((tokens) => (counted.tokens = tokens));
  let turns = 0;
  for (; counted.tokens === 0; turns += 1) await setImmediate();
  expect(await counting).toBe(2);
  expect(turns).toBeGreaterThanOrEqual(40);
});
