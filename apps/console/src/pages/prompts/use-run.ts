import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { callArea } from '../../api/areas.js';
import { ApiError } from '../../api/client.js';
import { eventsOf } from '../../api/event-stream.js';
import type { RunResult } from '../../api/prompt-records.js';
import { readAnew } from '../../api/read-anew.js';

/** A run that is under way, came to its end, or did not. */
export interface Running {
  text: string;
  /** Why the model was asked once more; what it wrote before is void. */
  repairs: string[];
  state: 'working' | 'done' | 'stopped' | 'failed';
  startedAt: number;
  /** Once it is done. */
  ms?: number;
  result?: RunResult;
  error?: Error;
}

/** The events of area D's streamed runs. */
type RunEvent =
  | { event: 'chunk'; data: { choices: { delta: { content: string } }[] } }
  | { event: 'repair'; data: { warnings: string[] } }
  | { event: 'result'; data: RunResult }
  | { event: 'error'; data: { error: { code: string; message: string; status: number } } };

/** Runs a prompt, and follows what the model writes. */
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
      const told = { event, data: JSON.parse(data) as unknown } as RunEvent;
      if (told.event === 'result') return told.data;
      if (told.event === 'error') {
        const { code, message, status } = told.data.error;
        throw new ApiError(status, code, message, answer.headers.get('x-request-id'));
      }
      if (told.event === 'repair') update(() => ({ text: '', repairs: told.data.warnings }));
      if (told.event === 'chunk') update(({ text }) => ({ text: text + (told.data.choices[0]?.delta.content ?? '') }));
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
            // What runs cost is told by version.
            void readAnew(queries, {
              queryKey: ['prompt', 'v1', kind],
              predicate: ({ queryKey }) => kind === 'conversation' || queryKey.includes('usage'),
            });
          }
        },
        (failure: unknown) => {
          // Another run was begun meanwhile.
          if (abort.current !== controller) return;
          const error = failure instanceof Error ? failure : new Error(String(failure));
          update(() => (controller.signal.aborted ? { state: 'stopped' } : { state: 'failed', error }));
        },
      );
    },
    /** Ends following the run, which goes on. */
    stop: () => abort.current?.abort(),
  };
}
