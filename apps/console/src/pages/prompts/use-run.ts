import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { callArea } from '../../api/areas.js';
import { ApiError } from '../../api/client.js';
import { eventsOf } from '../../api/event-stream.js';
import type { RunResult } from '../../api/prompt-records.js';
import { invalidate } from '../../api/invalidate.js';

/** A run in one of its states. */
export interface Running {
  text: string;
  /** Reasons for a second request to the model; its text before that is discarded. */
  repairs: string[];
  state: 'working' | 'done' | 'stopped' | 'failed';
  startedAt: number;
  /** Set when the run has ended. */
  ms?: number;
  result?: RunResult;
  error?: Error;
}

/** Events of a streamed run (prompt API). */
type RunEvent =
  | { event: 'chunk'; data: { choices: { delta: { content: string } }[] } }
  | { event: 'repair'; data: { warnings: string[] } }
  | { event: 'result'; data: RunResult }
  | { event: 'error'; data: { error: { code: string; message: string; status: number } } };

/** Runs a prompt and streams the answer. */
export function useRun(path: string) {
  const queries = useQueryClient();
  const [running, setRunning] = useState<Running>();
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const update = (change: (now: Running) => Partial<Running>) => setRunning((now) => now && { ...now, ...change(now) });

  async function follow(body: object, signal: AbortSignal): Promise<RunResult> {
    const answer = await callArea('prompt', 'POST', `${path}/openai`, { body: { ...body, stream: true }, signal });
    if (!answer.body) throw new Error('There was no answer.');
    for await (const { event, data } of eventsOf(answer.body)) {
      const parsed: unknown = JSON.parse(data);
      const sent = { event, data: parsed } as RunEvent;
      if (sent.event === 'result') return sent.data;
      if (sent.event === 'error') {
        const { code, message, status } = sent.data.error;
        throw new ApiError(status, code, message, answer.headers.get('x-request-id'));
      }
      if (sent.event === 'repair') update(() => ({ text: '', repairs: sent.data.warnings }));
      if (sent.event === 'chunk') update(({ text }) => ({ text: text + (sent.data.choices[0]?.delta.content ?? '') }));
    }
    throw new ApiError(
      0,
      'broken_off',
      'The connection was lost. If the run finishes, its answer is saved as a conversation.',
    );
  }

  return {
    running,
    run: (body: object): void => {
      abort.current?.abort();
      const controller = new AbortController();
      abort.current = controller;
      const startedAt = performance.now();
      setRunning({ text: '', repairs: [], state: 'working', startedAt });
      follow(body, controller.signal).then(
        (result) => {
          if (controller.signal.aborted) return;
          update(() => ({ state: 'done', result, ms: performance.now() - startedAt }));
          for (const kind of ['conversation', 'prompt']) {
            // Usage is counted by version.
            void invalidate(queries, {
              queryKey: ['prompt', 'v1', kind],
              predicate: ({ queryKey }) => kind === 'conversation' || queryKey.includes('usage'),
            });
          }
        },
        (failure: unknown) => {
          // Another run has started.
          if (abort.current !== controller) return;
          const error = failure instanceof Error ? failure : new Error(String(failure));
          update(() => (controller.signal.aborted ? { state: 'stopped' } : { state: 'failed', error }));
        },
      );
    },
    /** Stops streaming; the run continues on the server. */
    stop: () => abort.current?.abort(),
  };
}
