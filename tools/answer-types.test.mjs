// @ts-check
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { answerTypes, SERVICES } from './answer-types.mjs';
import { pythonSdkSources } from './python-sdk-source.mjs';
import { sdkSources } from './sdk-source.mjs';

describe("the console's types of answers", () => {
  for (const service of SERVICES)
    it(`match docs/openapi/${service}.json (run \`npm run openapi\` after a change)`, async () => {
      const { file, expected } = await answerTypes(service);
      assert.equal(readFileSync(file, 'utf8'), expected);
    });
});

describe("the SDK's generated sources", () => {
  it('match docs/openapi (run `npm run openapi` after a change)', async () => {
    for (const { file, expected } of [...(await sdkSources()), ...pythonSdkSources()])
      assert.equal(readFileSync(file, 'utf8'), expected, file);
  });
});
