import { useEffect, useRef, useState } from 'react';
import { askArea, callArea } from '../../api/areas.js';
import { ApiError } from '../../api/client.js';
import { eventsOf } from '../../api/event-stream.js';
import type { MessageEvent, Run, RunDetail } from '../../api/runtime-records.js';
import { hasEnded } from '../runs/run-text.js';
import { withProgress, type Step } from '../talk/turns.js';

/** A message to a draft, with its answer. */
export interface DraftTurn {
  content: string;
  steps: Step[];
  /** The run; undefined until it has started. After its end, the run is read again for its final state, tokens and cost. */
  run?: Run | RunDetail;
  /** Failure of the request, not of the run. */
  error?: Error;
}

const LOST = 'The connection was lost. If the run finishes, it is in the list of runs.';

/** The conversation of one column with an unsaved agent. The conversation is lost when the page closes. */
export function useDraftChat() {
  const [turns, setTurns] = useState<DraftTurn[]>([]);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const last = turns.at(-1);
  const isWorking = last !== undefined && !last.error && !(last.run && hasEnded(last.run));

  async function follow(body: object, signal: AbortSignal, update: (change: (now: DraftTurn) => DraftTurn) => void) {
    const started = await askArea<Run>('runtime', 'POST', '/api/v1/runs/draft', body, { signal });
    const path = `/api/v1/runs/${started.id}`;
    update((turn) => ({ ...turn, run: started }));
    const read = async () => {
      const run = await askArea<RunDetail>('runtime', 'GET', path, undefined, { signal });
      update((turn) => ({ ...turn, run }));
      return run;
    };
    const events = await callArea('runtime', 'GET', `${path}/events`, { signal });
    if (events.body)
      for await (const { event, data } of eventsOf(events.body)) {
        if (event === 'run.waiting' || event === 'run.running') await read();
        const progress = { event, data: JSON.parse(data) as unknown } as MessageEvent;
        update((turn) => ({ ...turn, steps: withProgress(turn.steps, progress) }));
      }
    if (!hasEnded(await read())) throw new ApiError(0, 'broken_off', LOST);
  }

  return {
    turns,
    isWorking,
    /** Id of the conversation that the next message continues; undefined before the first run. */
    contextId: turns.findLast(({ run }) => run)?.run?.context_id ?? undefined,
    send: (body: object, content: string): void => {
      abort.current?.abort();
      const controller = new AbortController();
      abort.current = controller;
      const update = (change: (now: DraftTurn) => DraftTurn) =>
        setTurns((now) =>
          abort.current === controller ? now.map((turn, at) => (at === now.length - 1 ? change(turn) : turn)) : now,
        );
      setTurns((now) => [...now, { content, steps: [] }]);
      follow(body, controller.signal, update).catch((failure: unknown) => {
        if (controller.signal.aborted) return;
        update((turn) => ({ ...turn, error: failure instanceof Error ? failure : new Error(String(failure)) }));
      });
    },
    /** Cancels the run. The end of the run then arrives as an event of the stream. */
    stop: () => {
      const id = last?.run?.id;
      if (id !== undefined) askArea('runtime', 'POST', `/api/v1/runs/${id}/cancel`, {}).catch(() => undefined);
    },
    clear: () => {
      abort.current?.abort();
      setTurns([]);
    },
  };
}
export type DraftChat = ReturnType<typeof useDraftChat>;
