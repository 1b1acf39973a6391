// @ts-check
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { root, toolEnvironment } from './workspace.mjs';

/**
 * `npm run openapi`: writes docs/openapi from the contracts. It runs the tests that compare the two, which then write instead of comparing. After
 * that, it writes the console's types of answers and the SDK's generated sources from docs/openapi.
 */
await bootstrap(import.meta.url, async () => {
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  for (const app of ['admin-auth', 'platform-api', 'runtime-api', 'prompt-api']) {
    const config = [
      '--config',
      join(root, 'jest.config.mjs'),
      '--rootDir',
      join(root, 'apps', app),
      'src/openapi.test.ts',
    ];
    const { status } = spawnSync(process.execPath, ['--no-warnings', jest, ...config], {
      stdio: 'inherit',
      env: { ...toolEnvironment(), WRITE_OPENAPI: '1' },
    });
    if (status !== 0) process.exit(status ?? 1);
  }
  const { answerTypes, SERVICES } = await import('./answer-types.mjs');
  for (const service of SERVICES) {
    const { file, expected } = await answerTypes(service);
    writeFileSync(file, expected);
  }
  const { sdkSources } = await import('./sdk-source.mjs');
  for (const { file, expected } of await sdkSources()) writeFileSync(file, expected);
  const { pythonSdkSources } = await import('./python-sdk-source.mjs');
  for (const { file, expected } of pythonSdkSources()) writeFileSync(file, expected);
});
