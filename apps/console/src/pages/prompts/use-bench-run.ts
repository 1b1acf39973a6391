import { useEffect, useRef, useState } from 'react';
import type { DraftRunResult } from '../../api/prompt-records.js';
import { streamRun } from '../../api/stream-run.js';
import type { BenchTurn, TypedInput } from './bench.js';

/** The conversation of one column with an unsaved prompt. The conversation is lost when the page closes. */
export function useBenchRun() {
  const [turns, setTurns] = useState<BenchTurn[]>([]);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);

  return {
    turns,
    isWorking: turns.at(-1)?.state === 'working',
    run: (body: object, { message, texts, json }: TypedInput): void => {
      abort.current?.abort();
      const controller = new AbortController();
      const { signal } = controller;
      abort.current = controller;
      const startedAt = performance.now();
      const update = (change: (now: BenchTurn) => Partial<BenchTurn>) =>
        setTurns((now) =>
          abort.current === controller
            ? now.map((turn, at) => (at === now.length - 1 ? { ...turn, ...change(turn) } : turn))
            : now,
        );
      setTurns((now) => [
        ...now,
        { message, input: { message, texts, json }, text: '', state: 'working', repairs: [] },
      ]);
      streamRun<DraftRunResult>('/v1/run', body, {
        onText: (delta) => update(({ text }) => ({ text: text + delta })),
        onRepair: (repairs) => update(() => ({ text: '', repairs })),
        signal,
        lost: 'The connection was lost. If the run finishes, it is in the list of runs.',
      }).then(
        (result) => update(() => ({ state: 'done', result, ms: performance.now() - startedAt })),
        (failure: unknown) => {
          const error = failure instanceof Error ? failure : new Error(String(failure));
          update(() => (signal.aborted ? { state: 'stopped' } : { state: 'failed', error }));
        },
      );
    },
    /** Stops reading the answer; the run continues on the server. */
    stop: () => abort.current?.abort(),
    clear: () => {
      abort.current?.abort();
      abort.current = null;
      setTurns([]);
    },
  };
}
export type BenchRun = ReturnType<typeof useBenchRun>;
