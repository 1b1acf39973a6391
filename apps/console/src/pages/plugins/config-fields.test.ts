import { objectIn } from '../../api/json-schema.js';
import { configFields, faultOfText, textOfValue, valueOfText, type ConfigField } from './config-fields.js';

const schema = {
  properties: {
    url: { type: 'string' },
    key: { type: 'string', writeOnly: true, description: 'From the provider' },
    password: { type: 'string', format: 'password' },
    region: { enum: ['eu', 'us'] },
    limit: { type: 'integer' },
    ratio: { type: 'number' },
    deep: { type: 'object' },
    on: { type: 'boolean' },
    odd: true,
  },
  required: ['key', 'limit'],
};
const field = (kind: ConfigField['kind'], isRequired = false): ConfigField => ({
  name: 'x',
  description: undefined,
  kind,
  isRequired,
  choices: [],
});

describe('the fields of a plugin', () => {
  it("are the properties of the plugin's own schema, without the settings of its type; secret properties have the kind secret", () => {
    const fields = configFields('tool', schema);
    expect(fields.map(({ name, kind, isRequired }) => [name, kind, isRequired])).toEqual([
      ['key', 'secret', true],
      ['password', 'secret', false],
      ['region', 'choice', false],
      ['limit', 'integer', true],
      ['ratio', 'number', false],
      ['deep', 'json', false],
      ['on', 'boolean', false],
      ['odd', 'json', false],
    ]);
    expect(fields[0]?.description).toBe('From the provider');
    expect(configFields('integration', {})).toEqual([]);
  });

  it.each([
    ['text', 'a', 'a'],
    ['secret', '1', '1'],
    ['integer', '3', 3],
    ['boolean', 'true', true],
    ['json', '{"a":[1]}', { a: [1] }],
    ['text', '', undefined],
  ] as const)('of the kind %s parse %j as %j and convert it back', (kind, text, value) => {
    expect(valueOfText(field(kind), text)).toEqual(value);
    expect(valueOfText(field(kind), textOfValue(field(kind), value))).toEqual(value);
  });

  it.each([
    ['integer', '1.5', /integer/],
    ['integer', 'x', /number/],
    ['number', '"1"', /number/],
    ['json', '{', /JSON/],
  ] as const)('of the kind %s refuse the text %j', (kind, text, fault) =>
    expect(faultOfText(field(kind), text)).toMatch(fault),
  );

  it('report a missing required value', () => {
    expect(faultOfText(field('text', true), '')).toBe('Required.');
    expect(faultOfText(field('text'), '')).toBeNull();
    expect([objectIn('{"a":1}'), objectIn('[1]'), objectIn('nonsense')]).toEqual([{ a: 1 }, undefined, undefined]);
  });
});
