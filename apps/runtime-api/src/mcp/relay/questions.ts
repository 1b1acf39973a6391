import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { INTERNAL_ERROR, JsonRpcRefusal, type RequestId } from '../json-rpc.js';
import type { Said, UpstreamMessage } from './translated-answer.js';
import type { Session } from './sessions.store.js';
import type { TranslatedSessionStore } from './translated-sessions.store.js';

/** What a server needs before it goes on (2026-07-28, "Multi round-trip requests"). */
export interface InputRequired {
  inputRequests: Record<string, UpstreamMessage>;
  requestState?: unknown;
}

/** What may be asked of clients of both eras, and which of their capabilities says so. */
const CAPABILITY_OF: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};
const MOST_AT_ONCE = 16;
/** How long a user may take. */
const PATIENCE_MS = 300_000;
const LOOK_EVERY_MS = 100;

/** What of a legacy client's capabilities a modern server is told: what it can be asked. */
export function askable(capabilities: unknown): Record<string, object> {
  const said = (capabilities ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    Object.values(CAPABILITY_OF).flatMap((name) => {
      const value = said[name];
      return typeof value === 'object' && value !== null ? [[name, value]] : [];
    }),
  );
}

/** The questions in a result; undefined when it is none that asks, or asks what the client did not offer. */
export function questionsIn(
  result: unknown,
  { capabilities }: Pick<Session, 'capabilities'>,
): InputRequired | undefined {
  const { resultType, inputRequests, requestState } = (result ?? {}) as Record<string, unknown>;
  if (resultType !== 'input_required') return undefined;
  const asked = Object.entries((inputRequests ?? {}) as Record<string, UpstreamMessage | null>);
  const isCarried = asked.every(([, request]) => (CAPABILITY_OF[String(request?.method)] ?? '') in capabilities);
  if (!isCarried || asked.length > MOST_AT_ONCE) return undefined;
  return {
    inputRequests: Object.fromEntries(asked) as InputRequired['inputRequests'],
    ...(requestState !== undefined && { requestState }),
  };
}

/**
 * Asks a legacy client on the stream of its call. Its answers are posted, to whichever replica.
 *
 * @returns what the call is repeated with
 * @throws JsonRpcRefusal, or the reason of the signal
 */
export async function* askClient(
  translated: TranslatedSessionStore,
  session: Session,
  { inputRequests, requestState }: InputRequired,
  { id, signal }: { id: RequestId; signal: AbortSignal },
): AsyncGenerator<Said, object> {
  const keys = Object.keys(inputRequests);
  const questions = keys.map(() => randomUUID());
  await translated.ask(session.id, questions);
  try {
    for (const [n, { method, params }] of Object.values(inputRequests).entries())
      yield { message: { jsonrpc: '2.0', id: questions[n], method, ...(params !== undefined && { params }) } };
    const answers = await answersTo();
    const refused = answers.some(({ error }) => error !== undefined);
    if (refused) throw new JsonRpcRefusal(200, INTERNAL_ERROR, 'The client refused a question of the server', id);
    const inputResponses = Object.fromEntries(keys.map((key, n) => [key, answers[n]?.result ?? {}]));
    return { ...(keys.length > 0 && { inputResponses }), ...(requestState !== undefined && { requestState }) };
  } finally {
    await translated.forget(session.id, questions);
  }

  async function answersTo() {
    for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline;) {
      const answers = await translated.answersTo(session.id, questions);
      if (answers) return answers;
      await sleep(LOOK_EVERY_MS, undefined, { signal });
    }
    throw new JsonRpcRefusal(200, INTERNAL_ERROR, 'The client did not answer a question of the server', id);
  }
}
