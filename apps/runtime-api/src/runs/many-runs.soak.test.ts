import { testManyRuns } from './test-many-runs.js';

testManyRuns(100_000, (what, seconds) => {
  process.stdout.write(`${what}: ${seconds.toFixed(1)} s\n`);
});
