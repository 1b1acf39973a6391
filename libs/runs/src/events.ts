import { Prisma } from '@millwright/db';
import type { RunEvent } from './run.js';

/**
 * Inserts events of the rows that the CTE `changed (id, event_count)` returns. The CTE must already have added the
 * number of events to `event_count`.
 */
export function insertEvents(events: readonly RunEvent[]): Prisma.Sql {
  const types = events.map(({ type }) => type);
  const data = events.map((event) => JSON.stringify(event.data));
  return Prisma.sql`
    INSERT INTO run_events (run_id, seq, type, data)
    SELECT c.id, c.event_count - ${events.length}::int + e.place, e.type, e.data::json
      FROM changed c, unnest(${types}::text[], ${data}::text[]) WITH ORDINALITY e (type, data, place)`;
}

/** Builds the event for a run's new state. */
export const stateEvent = (state: string, data: object = {}): RunEvent => ({ type: `run.${state}`, data });
