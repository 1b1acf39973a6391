import type { Egress } from '@millwright/egress';

export type ModelFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Maximum size, in bytes, of a model's answer. */
export const MODEL_ANSWER_MAX_BYTES = 16 * 1_048_576;

/**
 * The fetch for models whose address an admin of a project entered. It follows the rules of egress. The caller limits
 * the number and the time of its calls.
 */
export const checkedFetch =
  ({ fetch }: Pick<Egress, 'fetch'>): ModelFetch =>
  (url, init) =>
    fetch(url, { ...init, stream: true, profile: { timeoutMs: Infinity, maxBytes: MODEL_ANSWER_MAX_BYTES } });
