import type { Platform } from '../harness/platform.js';
import { runHonestCallers, type Area, type Asked, type HonestAnswers } from './children.js';

/**
 * Milliseconds between two requests to one area. The pause is so long that no request exceeds a rate limit, and that two cores are mostly idle
 * without an attack.
 */
const EVERY_MS = 100;

/**
 * Returns the requests to each area, which are sent in turn. Only one of 16 requests to the runtime API is a message, because messages have a low
 * rate limit.
 */
const requestsTo = ({ baseUrl, runtimeUrl, promptUrl }: Platform): Record<Area, readonly Asked[]> => {
  const render = { instruction: { dynamic: 'Say {{message}}.' }, message: 'good morning' };
  const list = { url: `${runtimeUrl}/api/v1/agents/registry` };
  const search = { url: `${runtimeUrl}/api/v1/content/search?q=miller` };
  const ask = { url: `${runtimeUrl}/api/v1/agents/concierge/messages`, body: { content: 'Good morning' } };
  return {
    'platform-api': [
      { url: `${baseUrl}/api/v1/skills` },
      { url: `${baseUrl}/api/v1/content?search=miller` },
      { url: `${baseUrl}/api/v1/agents` },
    ],
    'runtime-api': [ask, ...Array.from({ length: 15 }, (_, n) => (n % 2 === 0 ? list : search))],
    'prompt-api': [{ url: `${promptUrl}/v1/prompt` }, { url: `${promptUrl}/v1/render`, body: render }],
  };
};

/** Several credentials of each kind, so that no credential reaches its limit. */
export interface Credentials {
  keys: string[];
  /** Access tokens for the runtime API. */
  tokens: string[];
}

/** Calls each area at a fixed rate, from one address. Resolves when each area has given `count` answers. */
export function callHonestly(platform: Platform, { keys, tokens }: Credentials, count: number): Promise<HonestAnswers> {
  const requests = requestsTo(platform);
  const order = (area: Area, credentials: readonly string[]) => ({
    requests: requests[area],
    credentials,
    everyMs: EVERY_MS,
    count,
  });
  return runHonestCallers({
    'platform-api': order('platform-api', keys),
    'runtime-api': order('runtime-api', tokens),
    'prompt-api': order('prompt-api', keys),
  });
}

/** Returns the 99th percentile of values. */
export function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? 0;
}
