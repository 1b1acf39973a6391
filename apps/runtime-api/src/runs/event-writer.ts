import { storableText } from '@millwright/db';
import { createPaced, type Fence, type Pause, type RunEvent } from '@millwright/runs';
import type { Progress } from '../conversations/progress.js';

/** Limits of one INSERT statement. */
const MOST_EVENTS = 500;
const MOST_CHARACTERS = 1_000_000;

export interface EventBatch extends Fence {
  events: RunEvent[];
}

export interface EventWriterOptions {
  /** Stores events. The events of each run must keep their order. */
  write: (batch: readonly EventBatch[]) => Promise<void>;
  onError: (error: unknown) => void;
  /** Makes the pause after each statement. Default: a pause of a tenth of a second. */
  pause?: Pause | undefined;
}

/** Collects the events of one run. */
export interface RunRecorder {
  report: (progress: Progress) => void;
  /**
   * Waits until the current write has ended.
   * @returns the events that were not written, which the transaction that ends the run must store
   */
  rest: () => Promise<RunEvent[]>;
}

/**
 * Stores the events of all runs of this process soon after they happen, so that followers in any process can read them. One statement
 * stores all events that were reported since the statement before. Adjacent texts of one step become one event. Events that cannot be
 * stored are dropped, because the whole answer is stored when the run ends.
 */
export function createEventWriter({ write, onError, pause }: EventWriterOptions) {
  const waiting = new Map<string, EventBatch>();
  let written = Promise.resolve();

  const requestWrite = createPaced(async () => {
    const pages = pagesOf([...waiting.values()]);
    waiting.clear();
    written = writePages(pages);
    await written;
  }, pause);

  async function writePages(pages: readonly EventBatch[][]): Promise<void> {
    for (const page of pages) await write(page).catch(onError);
  }

  return {
    open(fence: Fence): RunRecorder {
      const { runId } = fence;
      let isOpen = true;
      return {
        report(progress) {
          if (!isOpen || progress.event === 'message.started') return;
          const event = toEvent(progress);
          const before = waiting.get(runId);
          if (before) addTo(before.events, event);
          else waiting.set(runId, { ...fence, events: [event] });
          requestWrite();
        },

        async rest() {
          isOpen = false;
          const events = waiting.get(runId)?.events ?? [];
          waiting.delete(runId);
          await written;
          return events;
        },
      };
    },
  };
}
export type EventWriter = ReturnType<typeof createEventWriter>;

/** Converts an event to a form that can be stored, because models also write characters that PostgreSQL refuses. */
const toEvent = ({ event, data }: Progress): RunEvent => ({
  type: event,
  data: Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, typeof value === 'string' ? storableText(value) : value]),
  ),
});

interface Delta {
  step: number;
  delta: string;
}
const deltaOf = ({ type, data }: RunEvent): Delta | undefined =>
  type === 'message.delta' && 'delta' in data ? (data as Delta) : undefined;

/** Adds an event, or merges its text into the preceding event. */
function addTo(events: RunEvent[], event: RunEvent): void {
  const last = events.at(-1);
  const [before, next] = [last && deltaOf(last), deltaOf(event)];
  if (before && next && before.step === next.step) before.delta += next.delta;
  else events.push(event);
}

function pagesOf(batches: readonly EventBatch[]): EventBatch[][] {
  const pages: EventBatch[][] = [];
  let [events, characters] = [0, Infinity];
  for (const batch of batches) {
    const page = pages.at(-1);
    if (!page || events >= MOST_EVENTS || characters > MOST_CHARACTERS) {
      pages.push([batch]);
      [events, characters] = [0, 0];
    } else page.push(batch);
    events += batch.events.length;
    characters += batch.events.reduce((sum, event) => sum + (deltaOf(event)?.delta.length ?? 100), 0);
  }
  return pages;
}
