import { createHash } from 'node:crypto';
import { newId } from '@millwright/db';
import { createBreakers, EgressError, type EgressFetch } from '@millwright/egress';
import { AppError } from '@millwright/errors';
import { signedHeaders } from '@millwright/events/signatures';
import type { RateLimiter } from '@millwright/rate-limit';
import { SecretUnreadable } from '@millwright/secrets';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { FILTER_SETTINGS, type Filter, type FilterFailure } from './filter.js';
import { readFilterAnswer, type FilterDecision } from './filter-answer.js';
import type { GuardPoint } from './guard-points.js';

/**
 * Sends texts to an external guard for a decision. Does not reject when the guard fails.
 * @returns undefined when the guard has already decided about all texts
 */
export type AskFilter = (
  filter: Filter,
  point: GuardPoint,
  texts: readonly string[],
) => Promise<FilterDecision | undefined>;

export interface AskFilterDeps {
  fetch: EgressFetch;
  /** Counts the calls of each guard. */
  limiter: Pick<RateLimiter, 'consume'>;
  /** Returns the config with all its secrets in clear text. @throws SecretUnreadable when they cannot be decrypted */
  openConfig: (filter: Filter & { config: Readonly<Record<string, unknown>> }) => Readonly<Record<string, unknown>>;
  /** Returns the time in Unix milliseconds. */
  now?: () => number;
}

const Config = z.object({
  ...FILTER_SETTINGS,
  url: z.string(),
  headers: z
    .record(z.string(), z.string())
    .default({})
    .transform((headers) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    ),
});

/** Limits of one call: the number of texts, and the bytes of request and answer. */
const MOST_TEXTS = 10_000;
const REQUEST_MAX_BYTES = 2 * 1024 * 1024;
const ANSWER_MAX_BYTES = 256 * 1024;
/** Cache of decisions: a text about which a guard has decided is not sent to this guard again for a while. */
const KEPT = { max: 20_000, ttl: 10 * 60_000 };

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const failed = (failure: FilterFailure) => ({ decision: 'failed', failure }) as const;

/**
 * Calls external guards with signed posts (Standard Webhooks). Each guard has a timeout, limits of size, a breaker and
 * a budget of calls.
 */
export function createAskFilter({ fetch, limiter, openConfig, now = Date.now }: AskFilterDeps): AskFilter {
  const breakerOf = createBreakers('plugin');
  const decided = new LRUCache<string, true>(KEPT);

  async function isWithinBudget({ id }: Filter, limit: number): Promise<boolean> {
    try {
      return (await limiter.consume({ name: 'guard', limit }, id)).admitted;
    } catch (error) {
      if (error instanceof AppError && error.code === 'unavailable') return false; // the limiter may refuse every call without Redis
      throw error;
    }
  }

  /** Posts texts to a guard, and returns its decision. @throws EgressError when the guard gives no complete answer */
  async function post(
    { id, name }: Filter,
    config: z.output<typeof Config>,
    point: GuardPoint,
    texts: readonly string[],
  ): Promise<FilterDecision> {
    const at = now();
    const hash = sha256(JSON.stringify(texts));
    const data = { guard: name, point, hash, texts };
    const body = JSON.stringify({ type: 'guard.check', timestamp: new Date(at).toISOString(), data });
    if (texts.length > MOST_TEXTS || Buffer.byteLength(body) > REQUEST_MAX_BYTES) return failed('too_large');
    const response = await fetch(config.url, {
      method: 'POST',
      headers: {
        ...config.headers,
        ...signedHeaders([config.secret], { id: `msg_${newId()}`, at, body }),
        accept: 'application/json',
      },
      body,
      kind: 'plugin',
      share: id,
      profile: { timeoutMs: config.timeout_ms, maxBytes: ANSWER_MAX_BYTES },
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      return failed('unavailable');
    }
    return readFilterAnswer(name, await response.text(), { texts, hash });
  }

  async function call(filter: Filter, point: GuardPoint, texts: readonly string[]) {
    const { id, config, is_approved: isApproved } = filter;
    if (!isApproved || config === null) return failed('changed');
    const settings = readConfig({ ...filter, config });
    if (!settings) return failed('unavailable');
    const pass = breakerOf(id).admit();
    if (!pass) return failed('unavailable');
    try {
      if (!(await isWithinBudget(filter, settings.calls_per_minute))) {
        pass.abandoned();
        return failed('budget');
      }
      const decision = await post(filter, settings, point, texts);
      if (decision.decision !== 'failed') pass.succeeded();
      else if (decision.failure === 'too_large') pass.abandoned();
      else pass.failed();
      return decision;
    } catch (error) {
      if (error instanceof EgressError && error.kind === 'busy') pass.abandoned();
      else pass.failed();
      if (!(error instanceof EgressError)) throw error;
      return failed(error.kind === 'timeout' || error.kind === 'too_large' ? error.kind : 'unavailable');
    }
  }

  function readConfig(filter: Filter & { config: Readonly<Record<string, unknown>> }) {
    try {
      return Config.safeParse(openConfig(filter)).data;
    } catch (error) {
      if (error instanceof SecretUnreadable) return undefined;
      throw error;
    }
  }

  return async (filter, point, texts) => {
    const keyOf = (text: string) => sha256(`${filter.id} ${filter.version} ${point} ${text}`);
    const unknown = texts.filter((text) => !filter.is_approved || !decided.has(keyOf(text)));
    if (unknown.length === 0) return undefined;
    const decision = await call(filter, point, unknown);
    if (decision.decision === 'failed' || decision.decision === 'block') return decision;
    const changed = decision.decision === 'redact' ? decision.texts : new Map<string, string>();
    for (const text of unknown) decided.set(keyOf(changed.get(text) ?? text), true);
    return decision;
  };
}
