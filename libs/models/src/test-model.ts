import { performance } from 'node:perf_hooks';
import { failureCause, type FailureCause } from './failure-cause.js';
import type { ModelDefinition } from './model.js';
import { createModelCalls } from './models.js';
import type { ModelFetch } from './checked-fetch.js';

/** Outcome of a short call that tests a model. */
export type ModelTest = { latencyMs: number } & (
  | { ok: true; answer: string; upstreamModel: string; failure: null }
  | { ok: false; answer: null; upstreamModel: null; failure: FailureCause }
);

/** Time limit of the test call in milliseconds. */
const TIMEOUT_MS = 20_000;
const ANSWER_LENGTH = 200;
/** Limit of the tokens of the test answer. Models that reason before they answer need this many; other models stop after a word. */
const MAX_TOKENS = 256;

/** Calls a model once, without retries and fallbacks, and reports what its server answers. */
export async function testModel(
  definition: ModelDefinition,
  fetch: ModelFetch,
  signal?: AbortSignal,
): Promise<ModelTest> {
  const timeoutMs = Math.min(TIMEOUT_MS, definition.timeoutMs);
  let cause: unknown;
  // The cause of the first failure is the result. `sleep`, which would wait for the second try, ends the test instead.
  const calls = createModelCalls({ onCall: (report) => (cause ??= report.cause), sleep: () => Promise.reject(ENDED) });
  const model = calls.open({ ...definition, timeoutMs, fallbacks: [] }, fetch);
  const started = performance.now();
  const latencyMs = () => Math.round(performance.now() - started);
  try {
    const messages = [{ role: 'user' as const, content: 'Answer with the word OK and nothing else.' }];
    const request = { messages, maxTokens: MAX_TOKENS, ...(signal && { signal }) };
    const { text, completion } = await calls.choice([model], definition.name).complete(request);
    const upstreamModel = completion.model || (definition.upstreamName ?? definition.name);
    return { ok: true, latencyMs: latencyMs(), answer: text.slice(0, ANSWER_LENGTH), upstreamModel, failure: null };
  } catch (error) {
    signal?.throwIfAborted();
    const failure = failureCause(cause ?? error, definition.apiKey);
    return { ok: false, latencyMs: latencyMs(), answer: null, upstreamModel: null, failure };
  }
}

const ENDED = new Error('A test calls the model once.');
