import type { GuardPolicy, Plugin } from '../../api/platform-records.js';
import type { Point } from './guard-rules.js';

/** An external guard in the form. */
export interface FilterRule {
  plugin_id: string;
  /** Version of the guard that an admin approved. */
  version: number;
  points: Point[];
  on_failure: 'block' | 'allow';
}

export const filterRulesOf = ({ filters }: Pick<GuardPolicy, 'filters'>): FilterRule[] =>
  filters.map(({ plugin_id, version, points, on_failure }) => ({ plugin_id, version, points, on_failure }));

/** Makes the rule for a new external guard. The guard receives the texts of all points. When the guard fails, the texts are blocked. */
export const newFilterRule = ({ id, version }: Plugin): FilterRule => ({
  plugin_id: id,
  version,
  points: ['input', 'output', 'tools'],
  on_failure: 'block',
});

/** Adds a point to the rule, or removes the point. The last point cannot be removed. */
export function withPoint(rule: FilterRule, point: Point, isOn: boolean): FilterRule {
  const others = rule.points.filter((name) => name !== point);
  if (!isOn) return others.length > 0 ? { ...rule, points: others } : rule;
  return { ...rule, points: [...others, point] };
}

/** Explains why an external guard is not called; undefined for a guard that is called. */
export function filterFault(rule: FilterRule, plugin: Plugin | undefined): string | undefined {
  if (!plugin) return 'The plugin does not exist any more: runs end until the guard is removed.';
  if (plugin.status !== 'active')
    return 'The plugin is inactive: runs end until it is active again, or the guard is removed.';
  if (plugin.version !== rule.version) return 'The plugin has changed: runs end until you approve it.';
  return undefined;
}
