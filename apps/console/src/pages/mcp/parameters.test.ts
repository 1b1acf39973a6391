import { parametersOf } from './parameters.js';

describe('parametersOf', () => {
  it('returns the properties of the input schema with type and required flag', () => {
    const properties = {
      query: { type: 'string', description: 'What to look for.' },
      order: { enum: ['up', 1] },
      tags: { type: 'array', items: { type: 'string' } },
      limit: { type: ['integer', 'null'] },
      odd: true,
    };
    expect(parametersOf({ properties, required: ['query'] })).toEqual([
      { name: 'query', type: 'string', isRequired: true, description: 'What to look for.' },
      { name: 'order', type: '"up" | 1', isRequired: false, description: '' },
      { name: 'tags', type: 'string[]', isRequired: false, description: '' },
      { name: 'limit', type: 'integer | null', isRequired: false, description: '' },
      { name: 'odd', type: 'any', isRequired: false, description: '' },
    ]);
  });

  it('returns no parameters for a schema without properties', () => {
    expect(parametersOf({})).toEqual([]);
    expect(parametersOf({ properties: [], required: 'query' })).toEqual([]);
  });
});
