import { skeletonOf } from './skeleton.js';

describe('the object to fill in', () => {
  const properties = {
    query: { type: 'string' },
    limit: { type: 'integer', default: 10 },
    order: { enum: ['up', 'down'] },
    tags: { type: 'array' },
    odd: {},
    optional: { type: 'string' },
  };
  const required = ['query', 'limit', 'order', 'tags', 'odd', 'unknown'];
  const filled = { query: '', limit: 10, order: 'up', tags: [], odd: null };

  it('has all that a schema names, as what it takes', () => {
    expect(skeletonOf({ properties, required })).toEqual({ ...filled, optional: '' });
    expect(skeletonOf({})).toEqual({});
  });

  it('has what the schema requires alone where that is enough', () => {
    expect(skeletonOf({ properties, required }, 'required')).toEqual(filled);
  });
});
