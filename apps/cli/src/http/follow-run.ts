import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { CommandRefused } from '../command-refused.js';
import type { Api } from './api.js';
import { readServerEvents } from './server-events.js';

/** Connections in a row without an event, after which a run is not followed any more; the wait before each of them. */
const MOST_ATTEMPTS = 20;
const WAIT_MS = 1_000;

const Data = z.looseObject({
  step: z.number().optional(),
  delta: z.string().optional(),
  tool: z.string().optional(),
  arguments: z.string().optional(),
  ok: z.boolean().optional(),
  waiting_for: z.string().nullish(),
  code: z.string().optional(),
});

export interface RunEvent {
  id: string;
  event: string;
  data: z.output<typeof Data>;
}

/** The events of a run until it has ended: each once and in order, over as many connections as needed. */
export async function* followRun(api: Api, runId: string): AsyncGenerator<RunEvent, void, undefined> {
  let last: string | undefined;
  for (let attempts = 0; attempts < MOST_ATTEMPTS; attempts += 1) {
    if (attempts > 1) await sleep(WAIT_MS);
    try {
      const answer = await api.open('runtime', `/api/v1/runs/${encodeURIComponent(runId)}/events`, {
        headers: { accept: 'text/event-stream', ...(last !== undefined && { 'last-event-id': last }) },
      });
      if (answer.status === 204) return;
      for await (const { id, event, data } of readServerEvents(answer)) {
        attempts = 0;
        last = id ?? last;
        yield { id: id ?? '', event: event ?? 'message', data: Data.parse(JSON.parse(data)) };
      }
    } catch (error) {
      // A refusal is final; a connection that broke off is opened again after the last event.
      if (error instanceof CommandRefused && error.code !== 'unreachable') throw error;
    }
  }
  throw new CommandRefused(`The connection broke off too often. The run goes on: millwright runs tail ${runId}`, {
    kind: 'unreachable',
  });
}
