import { totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

/** @param {string} name of a file in tools/jest */
const tool = (name) => fileURLToPath(new URL(`tools/jest/${name}`, import.meta.url));

/** @type {import('jest').Config} */
export default {
  runtime: tool('native/runtime.mjs'),
  testEnvironment: tool('native/environment.mjs'),
  testSequencer: tool('longest-first.mjs'),
  globalSetup: tool('global-setup.mjs'),
  globalTeardown: tool('global-teardown.mjs'),
  testMatch: ['<rootDir>/**/*.test.ts'],
  // Soak tests run only by separate commands.
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '\\.soak\\.test\\.ts$'],
  // Node strips the types.
  transform: {},
  testTimeout: 600_000,
  // Limit in bytes: a worker keeps the modules of each file that it has run; a new worker loads them again.
  workerIdleMemoryLimit: Math.max(1_000_000_000, totalmem() / 8),
  // A connection that a client keeps open must not delay the projects that follow.
  forceExit: true,
};
