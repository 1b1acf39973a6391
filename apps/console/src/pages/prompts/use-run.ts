import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { RunResult } from '../../api/prompt-records.js';
import { invalidate } from '../../api/invalidate.js';
import { streamRun } from '../../api/stream-run.js';

/** The current or last run, and the part of its answer that was received. */
export interface Running {
  text: string;
  /** Reasons why the model was called again after an invalid answer. The text of that answer was discarded. */
  repairs: string[];
  state: 'working' | 'done' | 'stopped' | 'failed';
  startedAt: number;
  /** Duration in milliseconds; set when the run has ended. */
  ms?: number;
  result?: RunResult;
  error?: Error;
}

/** Runs a prompt and streams the answer. */
export function useRun(path: string) {
  const queries = useQueryClient();
  const [running, setRunning] = useState<Running>();
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const update = (change: (now: Running) => Partial<Running>) => setRunning((now) => now && { ...now, ...change(now) });

  const follow = (body: object, signal: AbortSignal) =>
    streamRun<RunResult>(`${path}/openai`, body, {
      onText: (delta) => update(({ text }) => ({ text: text + delta })),
      onRepair: (repairs) => update(() => ({ text: '', repairs })),
      signal,
      lost: 'The connection was lost. If the run finishes, its answer is saved as a conversation.',
    });

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
            // A run adds a conversation, and changes the usage counts of the prompt's versions.
            void invalidate(queries, {
              queryKey: ['prompt', 'v1', kind],
              predicate: ({ queryKey }) => kind === 'conversation' || queryKey.includes('usage'),
            });
          }
        },
        (failure: unknown) => {
          // Ignores the failure when another run has started since.
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
