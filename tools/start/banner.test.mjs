// @ts-check
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { banner } from './banner.mjs';
import { modelNames } from './model-names.mjs';

const folder = mkdtempSync(join(tmpdir(), 'millwright-banner-'));
const file = join(folder, 'models.yaml');
writeFileSync(
  file,
  'models:\n  - { name: large, endpoint: https://m.test }\n  - { name: small, endpoint: https://m.test }\n',
);
after(() => rmSync(folder, { recursive: true }));

/** @param {Record<string, string>} environment */
function bannerOf(environment) {
  const model = { base_url: environment.MODEL_BASE_URL ?? null, names: modelNames(environment) };
  return banner({ admin: { email: 'a@example.com' }, model }, 1);
}

describe('the banner of npm start', () => {
  it('names the models of MODELS_FILE, the default model first', () => {
    assert.match(bannerOf({ MODELS_FILE: file }), /The model large answers; requests may also name small\./);
    const both = { MODELS_FILE: file, MODEL_BASE_URL: 'https://one.test', MODEL_NAME: 'one' };
    assert.match(bannerOf(both), /The model one answers; requests may also name large, small\./);
  });

  it('names the model of MODEL_BASE_URL with its address', () => {
    const text = bannerOf({ MODEL_BASE_URL: 'https://one.test', MODEL_NAME: 'one' });
    assert.match(text, /The model one at https:\/\/one\.test answers\./);
  });

  it('contains the addresses of the documentation and of the form for a first model', () => {
    const [base_url, runtime_url, prompt_api_url] = ['http://a.test', 'http://c.test', 'http://d.test'];
    const model = { base_url: null, names: [] };
    const text = banner({ base_url, runtime_url, prompt_api_url, admin: { email: 'a@example.com' }, model }, 1);
    for (const url of [`${base_url}/docs`]) assert.ok(text.includes(url));
    assert.ok(text.includes(`${base_url}/admin/build/models/new`));
  });

  it('names the offline model when no model is configured', () => {
    assert.match(bannerOf({}), /The built-in offline model answers\./);
    assert.match(bannerOf({ MODELS_FILE: join(folder, 'missing.yaml') }), /The built-in offline model answers\./);
  });
});
