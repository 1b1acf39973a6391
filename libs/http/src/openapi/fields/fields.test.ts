import { readFileSync } from 'node:fs';
import { FIELD_LISTS } from './index.js';

const documents = ['admin', 'platform', 'runtime', 'prompt'].map((service) =>
  readFileSync(new URL(`../../../../../docs/openapi/${service}.json`, import.meta.url), 'utf8'),
);

describe('the descriptions of fields', () => {
  const all = FIELD_LISTS.flatMap((list) => Object.entries(list));

  it('contain no field name twice', () => {
    const names = all.map(([name]) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('are whole sentences, and an OpenAPI document contains each of them (run `npm run openapi` after a change)', () => {
    expect(all.filter(([, text]) => !/^[A-Z`0-9].*\.$/.test(text))).toEqual([]);
    const unused = all.filter(([, text]) => !documents.some((document) => document.includes(JSON.stringify(text))));
    expect(unused.map(([name]) => name)).toEqual([]);
  });
});
