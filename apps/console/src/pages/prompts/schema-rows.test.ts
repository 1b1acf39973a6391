import { EMPTY_ROW, rowFaults, rowsOf, withRows } from './schema-rows.js';

const SCHEMA = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'Where.' },
    days: { type: 'integer', default: 2 },
    season: { type: 'string', enum: ['spring', 'autumn'] },
    stops: { type: 'array', items: { type: 'string' } },
    loud: { type: 'boolean' },
  },
  required: ['city', 'season'],
  additionalProperties: false,
};

describe('rowsOf and withRows', () => {
  it('keep the schema, including keywords for which the form has no input', () => {
    const rows = rowsOf(SCHEMA) ?? [];
    expect(rows.map(({ name, type, isRequired }) => [name, type, isRequired])).toEqual([
      ['city', 'string', true],
      ['days', 'integer', false],
      ['season', 'choice', true],
      ['stops', 'list', false],
      ['loud', 'boolean', false],
    ]);
    expect(withRows(SCHEMA, rows)).toEqual(SCHEMA);
  });

  it('convert an empty list of rows to a schema that accepts any value', () => {
    expect(rowsOf({})).toEqual([]);
    expect(withRows({}, [])).toEqual({});
    expect(withRows({}, [EMPTY_ROW])).toEqual({});
  });

  it.each([
    { type: 'array' },
    { type: 'object', oneOf: [] },
    { type: 'object', properties: { a: { type: 'object' } } },
    { type: 'object', properties: { a: { type: ['string', 'null'] } } },
    { type: 'object', properties: { a: { enum: [1, 2] } } },
    { type: 'object', properties: { a: { type: 'array', items: { type: 'number' } } } },
    { type: 'object', properties: {}, required: ['b'] },
    { type: 'object', properties: 7 },
  ])('return no rows for the schema %j', (schema) => expect(rowsOf(schema)).toBeUndefined());
});

describe('rowFaults', () => {
  it('reports names that are missing, invalid or used twice, and a choice without values', () => {
    const rows = ['', 'a b', 'city', 'city', 'kind'].map((name) => ({ ...EMPTY_ROW, name }));
    const last = { ...EMPTY_ROW, name: 'season', type: 'choice' as const };
    expect(rowFaults([...rows, last])).toEqual({
      0: 'Enter a name.',
      1: 'Use letters, digits and "_".',
      3: 'This name is used above.',
      5: 'Add a value.',
    });
  });
});
