import { setTimeout as delay } from 'node:timers/promises';
import { send, type Call } from '../harness/calls.js';
import type { Platform } from '../harness/platform.js';

/** The answers to honest callers during one phase. */
export interface Answers {
  milliseconds: number[];
  errors: string[];
}

export type Area = 'platform-api' | 'runtime-api' | 'prompt-api';

/** Milliseconds between the requests of one caller. */
const PAUSE_MS = 40;

/** Requests of each area, in turn. Messages are few, because of their limit. */
const requestsTo = ({
  baseUrl,
  runtimeUrl,
  promptUrl,
}: Platform): Record<Area, readonly [url: string, call: Call][]> => {
  const render: Call = { body: { instruction: { dynamic: 'Say {{message}}.' }, message: 'good morning' } };
  const list: [string, Call] = [`${runtimeUrl}/api/v1/agents/registry`, {}];
  const search: [string, Call] = [`${runtimeUrl}/api/v1/content/search?q=miller`, {}];
  const ask: [string, Call] = [`${runtimeUrl}/api/v1/agents/concierge/messages`, { body: { content: 'Good morning' } }];
  return {
    'platform-api': [
      [`${baseUrl}/api/v1/skills`, {}],
      [`${baseUrl}/api/v1/content?search=miller`, {}],
      [`${baseUrl}/api/v1/agents`, {}],
    ],
    'runtime-api': [ask, ...Array.from({ length: 15 }, (_, n) => (n % 2 === 0 ? list : search))],
    'prompt-api': [
      [`${promptUrl}/v1/prompt`, {}],
      [`${promptUrl}/v1/render`, render],
    ],
  };
};

/** Several of each, so that no limit of a credential is reached. */
export interface Credentials {
  keys: readonly string[];
  /** For the runtime API. */
  tokens: readonly string[];
}

/** One caller of each area at the same address, until the end is awaited. */
export function beginHonestCalls(
  platform: Platform,
  { keys, tokens }: Credentials,
): () => Promise<Record<Area, Answers>> {
  let isOver = false;
  async function callUntilOver(
    requests: readonly [url: string, call: Call][],
    credentials: readonly string[],
  ): Promise<Answers> {
    const answers: Answers = { milliseconds: [], errors: [] };
    for (let turn = 0; !isOver; turn += 1) {
      const [url, call] = requests[turn % requests.length] ?? ['', {}];
      const headers = { Authorization: `Bearer ${credentials[turn % credentials.length] ?? ''}` };
      const started = performance.now();
      const failure = await send(url, { ...call, headers }).then(
        ({ status }) => (status < 300 ? undefined : String(status)),
        (error: unknown) => String(error),
      );
      answers.milliseconds.push(performance.now() - started);
      if (failure !== undefined) answers.errors.push(`${new URL(url).pathname}: ${failure}`);
      await delay(PAUSE_MS);
    }
    return answers;
  }
  const requests = requestsTo(platform);
  const running = {
    'platform-api': callUntilOver(requests['platform-api'], keys),
    'runtime-api': callUntilOver(requests['runtime-api'], tokens),
    'prompt-api': callUntilOver(requests['prompt-api'], keys),
  };
  return async () => {
    isOver = true;
    return {
      'platform-api': await running['platform-api'],
      'runtime-api': await running['runtime-api'],
      'prompt-api': await running['prompt-api'],
    };
  };
}

/** The value that 99 of 100 are not above. */
export function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? 0;
}
