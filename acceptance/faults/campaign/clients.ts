import { setTimeout as delay } from 'node:timers/promises';
import { answerOf, messageOf, randomScript, type Script, type ScriptOptions } from './run-script.js';

export interface SentRun {
  run: number;
  script: Script;
  /** Whether the client repeats its request with the same Idempotency-Key until an answer arrives. Other clients send each request once. */
  persistent: boolean;
  /** Whether the client received the answer. */
  answered: boolean;
  /** Answers whose text is not the text that the run's script ends with. */
  wrong: string[];
}

const RETRY_MS = 500;

/** Sends messages to the agent at `url` until `stop`. @returns the sent messages */
export function startClients(url: string, token: string, count: number, options: ScriptOptions = {}) {
  const sent: SentRun[] = [];
  let isStopped = false;

  async function send({ run, script, persistent }: SentRun): Promise<string | undefined> {
    const authorization = `Bearer ${token}`;
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/json',
        ...(persistent && { 'idempotency-key': `campaign-${run}` }),
      },
      body: JSON.stringify({ content: messageOf({ run }, script) }),
    }).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    if (response?.status === 200 && text !== undefined) return (JSON.parse(text) as { content: string }).content;
    const location = response?.status === 202 ? response.headers.get('location') : undefined;
    return location ? outputOf(new URL(location, url), authorization) : undefined;
  }

  /** Polls a run that was answered with 202, because it waits for a person, until it ends. @returns its output, or its state if it failed */
  async function outputOf(location: URL, authorization: string): Promise<string> {
    for (;;) {
      const response = await fetch(location, { headers: { authorization } }).catch(() => undefined);
      const body = response?.ok ? await response.json().catch(() => undefined) : undefined;
      const { output, state } = (body ?? {}) as { output?: string | null; state?: string };
      if (state === 'completed' && output) return output;
      if (state === 'failed' || state === 'canceled') return state;
      await delay(RETRY_MS);
    }
  }

  async function client(persistent: boolean): Promise<void> {
    while (!isStopped) {
      const one: SentRun = { run: sent.length, script: randomScript(options), persistent, answered: false, wrong: [] };
      sent.push(one);
      do {
        const content = await send(one);
        if (content === undefined) await delay(RETRY_MS);
        else if (content === answerOf(one)) one.answered = true;
        else one.wrong.push(content);
      } while (persistent && !one.answered && one.wrong.length === 0);
    }
  }

  const working = Promise.all(Array.from({ length: count }, (_, index) => client(index % 2 === 0)));
  return {
    sent,
    /** Waits for all outstanding answers. */
    async stop(): Promise<readonly SentRun[]> {
      isStopped = true;
      await working;
      return sent;
    },
  };
}
