import { fileURLToPath } from 'node:url';

/** @param {string} name of a file in tools/jest */
const tool = (name) => fileURLToPath(new URL(`tools/jest/${name}`, import.meta.url));

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  globalSetup: tool('global-setup.mjs'),
  globalTeardown: tool('global-teardown.mjs'),
  testMatch: ['<rootDir>/**/*.test.ts'],
  // Soak tests have commands of their own.
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '\\.soak\\.test\\.ts$'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'nodenext' } },
    ],
  },
  testTimeout: 240_000,
  // A worker keeps the modules of each file that it ran.
  workerIdleMemoryLimit: '1GB',
  // A connection that some client keeps open must not hold up the projects that come after.
  forceExit: true,
};
