import { EgressError } from '@millwright/egress';
import { APIConnectionError, APIError } from 'openai/core/error';
import { NotACompletion } from './completion.js';
import { NotEmbeddings } from './not-embeddings.js';
import type { Received } from './received.js';

/** Outcome of one try at one model, for metrics. */
export type CallOutcome =
  'answered' | 'aborted' | 'timeout' | 'rate_limited' | 'failed' | 'unreachable' | 'rejected' | 'garbage';

export interface Failure {
  outcome: Exclude<CallOutcome, 'answered' | 'aborted'>;
  /** Whether the same request may succeed when sent again. */
  retry: boolean;
  /** Value of the upstream's Retry-After, in milliseconds. */
  retryAfterMs?: number;
}

export class ModelTimeout extends Error {
  constructor(model: string, ms: number) {
    super(`The model ${model} did not answer within ${Math.round(ms)} ms.`);
    this.name = 'ModelTimeout';
  }
}

/** Reads `Retry-After`, which has seconds or a date (RFC 9110 §10.2.3), or `retry-after-ms` of OpenAI and Azure. */
function retryAfterMs(headers: Headers | undefined): number | undefined {
  const ms = headers?.get('retry-after-ms');
  if (ms && Number.isFinite(Number(ms))) return Math.max(0, Number(ms));
  const value = headers?.get('retry-after');
  if (!value) return undefined;
  const wait = Number.isFinite(Number(value)) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

function statusFailure({ status, headers }: { status: number; headers: Headers | undefined }): Failure {
  if (status === 429) return { outcome: 'rate_limited', retry: true, retryAfterMs: retryAfterMs(headers) };
  if (status === 408 || status >= 500) return { outcome: 'failed', retry: true, retryAfterMs: retryAfterMs(headers) };
  return { outcome: 'rejected', retry: false };
}

/** Whether the error means that the answer exceeds the size limit of egress. */
export function isTooLarge(error: unknown): boolean {
  const cause = error instanceof EgressError ? error : error instanceof Error ? error.cause : undefined;
  return cause instanceof EgressError && cause.kind === 'too_large';
}

function transportFailure(error: unknown): Failure {
  return isTooLarge(error) ? { outcome: 'garbage', retry: false } : { outcome: 'unreachable', retry: true };
}

/** Whether and when a failed try may be repeated. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof ModelTimeout) return { outcome: 'timeout', retry: false };
  if ([NotACompletion, NotEmbeddings, SyntaxError].some((kind) => error instanceof kind))
    return { outcome: 'garbage', retry: false };
  if (error instanceof APIConnectionError || error instanceof EgressError) return transportFailure(error);
  if (error instanceof APIError) {
    const { status, headers } = error as APIError;
    // An error event inside a stream has no status.
    return status === undefined ? { outcome: 'failed', retry: true } : statusFailure({ status, headers });
  }
  return { outcome: 'failed', retry: false };
}

/**
 * Whether a model's answer started and was cut off, so that tokens were used without a result. False for an answer that
 * does not come from a model, such as the error page of a proxy.
 */
export const isCut = (error: unknown, { began, chunks }: Pick<Received, 'began' | 'chunks'>) =>
  chunks > 0 || (began && describeFailure(error).outcome !== 'garbage');

/** Whether a failure counts as a failure of the upstream. A rejected request does not, because it shows that the upstream works. */
export const countsAgainstUpstream = ({ outcome }: Failure) => outcome !== 'rejected';
