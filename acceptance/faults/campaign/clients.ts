import { setTimeout as delay } from 'node:timers/promises';
import { answerOf, messageOf, randomScript, type Script } from './run-script.js';

export interface SentRun {
  run: number;
  script: Script;
  /** A client that repeats its request under one Idempotency-Key until it is answered; others send it once. */
  persistent: boolean;
  /** Whether the client received the answer. */
  answered: boolean;
  /** Answers 200 that were not the run's own. */
  wrong: string[];
}

const RETRY_MS = 500;

/** Sends messages to the agent at `url` until `stop`. @returns what was sent */
export function startClients(url: string, token: string, count: number, fetchFrom = fetch) {
  const sent: SentRun[] = [];
  let isStopped = false;

  async function send({ run, script, persistent }: SentRun): Promise<string | undefined> {
    const response = await fetchFrom(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(persistent && { 'idempotency-key': `campaign-${run}` }),
      },
      body: JSON.stringify({ content: messageOf(run, script) }),
    }).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    return response?.status === 200 ? text : undefined;
  }

  async function client(persistent: boolean): Promise<void> {
    while (!isStopped) {
      const one: SentRun = { run: sent.length, script: randomScript(), persistent, answered: false, wrong: [] };
      sent.push(one);
      do {
        const text = await send(one);
        if (text === undefined) await delay(RETRY_MS);
        else {
          const { content } = JSON.parse(text) as { content: string };
          one.answered = content === answerOf(one.run);
          if (!one.answered) one.wrong.push(content);
        }
      } while (persistent && !one.answered && one.wrong.length === 0);
    }
  }

  const working = Promise.all(Array.from({ length: count }, (_, index) => client(index % 2 === 0)));
  return {
    sent,
    /** Waits for the answers that are awaited. */
    async stop(): Promise<readonly SentRun[]> {
      isStopped = true;
      await working;
      return sent;
    },
  };
}
