import { isWebhookSecret, WEBHOOK_SECRET_REASON } from '@millwright/events/signatures';
import { z } from 'zod';
import { GUARD_POINTS, type GuardPoint } from './guard-points.js';

/** Limit of the external guards of one policy. */
export const MOST_FILTERS = 5;

/** Settings for an external guard that gives no usable answer. `block`: the run ends; `allow`: the run continues with the unchecked text. */
export const ON_FAILURE = ['block', 'allow'] as const;
export type OnFailure = (typeof ON_FAILURE)[number];

/** The reason why an external guard gave no decision. */
export type FilterFailure = 'changed' | 'budget' | 'unavailable' | 'timeout' | 'too_large' | 'invalid';

/** The settings of an external guard, in addition to its address and headers. */
export const FILTER_SETTINGS = {
  secret: z.string().refine(isWebhookSecret, WEBHOOK_SECRET_REASON),
  timeout_ms: z.int().min(100).max(10_000).default(2_000),
  calls_per_minute: z.int().min(1).max(60_000).default(600),
};

/** An external guard in a policy, in the form in which the database stores it. */
export interface FilterPin {
  /** UUID of the plugin that is the guard. */
  plugin: string;
  /** Version that an admin approved. */
  version: number;
  points: readonly GuardPoint[];
  on_failure: OnFailure;
}

/** An external guard that applies to a run. Its secrets are still sealed. */
export interface Filter {
  /** UUID of the plugin that is the guard. */
  id: string;
  name: string;
  version: number | null;
  config: Readonly<Record<string, unknown>> | null;
  secrets: string | null;
  /** Whether the plugin is active and an admin approved this version. */
  is_approved: boolean;
  points: readonly GuardPoint[];
  on_failure: OnFailure;
}

/**
 * Combines the external guards of several policies. Each guard applies at the points of all policies, and blocks on
 * failure when one of the policies has that setting.
 */
export function effectiveFilters(lists: readonly (readonly Filter[])[]): Filter[] {
  const byId = new Map<string, Filter>();
  for (const filter of lists.flat()) {
    const other = byId.get(filter.id);
    byId.set(filter.id, {
      ...filter,
      is_approved: filter.is_approved || (other?.is_approved ?? false),
      points: GUARD_POINTS.filter((point) => filter.points.includes(point) || other?.points.includes(point)),
      on_failure: other?.on_failure === 'block' ? 'block' : filter.on_failure,
    });
  }
  return [...byId.values()];
}
