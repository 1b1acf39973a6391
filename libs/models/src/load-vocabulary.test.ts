import { setImmediate } from 'node:timers/promises';
import { loadVocabulary } from './load-vocabulary.js';

it('loadVocabulary yields to other requests while it loads', async () => {
  const progress = { loaded: false };
  const loading = loadVocabulary().finally(() => (progress.loaded = true));
  let turns = 0;
  for (; !progress.loaded; turns += 1) await setImmediate();
  expect((await loading).ranks.get('hello')).toBeGreaterThan(0);
  expect(turns).toBeGreaterThanOrEqual(40);
});
