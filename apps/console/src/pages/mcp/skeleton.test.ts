import { skeletonOf } from './skeleton.js';

describe('the arguments to fill in', () => {
  it('are what a schema requires, as what it takes', () => {
    const properties = {
      query: { type: 'string' },
      limit: { type: 'integer', default: 10 },
      order: { enum: ['up', 'down'] },
      tags: { type: 'array' },
      odd: {},
      optional: { type: 'string' },
    };
    const required = ['query', 'limit', 'order', 'tags', 'odd', 'unknown'];
    expect(skeletonOf({ properties, required })).toEqual({ query: '', limit: 10, order: 'up', tags: [], odd: null });
    expect(skeletonOf({})).toEqual({});
  });
});
