import type { Plugin } from '../../api/platform-records.js';
import { filterFault, newFilterRule, withPoint } from './filter-rules.js';

const plugin = { id: 'pl_1', version: 3, status: 'active' } as Plugin;

describe('withPoint', () => {
  it('adds and removes a point, but does not remove the last point', () => {
    const all = newFilterRule(plugin);
    const one = withPoint(withPoint(all, 'input', false), 'tools', false);
    expect(one.points).toEqual(['output']);
    expect(withPoint(one, 'output', false)).toBe(one);
    expect(withPoint(one, 'input', true).points).toEqual(['output', 'input']);
  });
});

describe('filterFault', () => {
  it('returns the reason why an external guard is not called', () => {
    const rule = newFilterRule(plugin);
    expect(filterFault(rule, plugin)).toBeUndefined();
    expect(filterFault(rule, { ...plugin, version: 4 })).toContain('changed');
    expect(filterFault(rule, { ...plugin, status: 'inactive' })).toContain('inactive');
    expect(filterFault(rule, undefined)).toContain('does not exist');
  });
});
