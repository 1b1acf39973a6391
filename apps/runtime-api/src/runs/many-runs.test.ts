import { testManyRuns } from './test-many-runs.js';

testManyRuns(10_000, () => undefined);
