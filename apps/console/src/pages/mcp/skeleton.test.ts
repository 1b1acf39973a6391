import { skeletonOf } from './skeleton.js';

describe('skeletonOf', () => {
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

  it('contains every property of the schema, with a value of its type', () => {
    expect(skeletonOf({ properties, required })).toEqual({ ...filled, optional: '' });
    expect(skeletonOf({})).toEqual({});
  });

  it('with the option "required", contains only the required properties', () => {
    expect(skeletonOf({ properties, required }, 'required')).toEqual(filled);
  });
});
