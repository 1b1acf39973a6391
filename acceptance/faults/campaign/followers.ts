import { setTimeout as delay } from 'node:timers/promises';
import { decodeId } from '@millwright/db';
import type { Service } from '../../harness/service.js';
import type { RunRecords } from './run-records.js';

/** An event that a follower received. */
export interface Received {
  seq: number;
  type: string;
  data: string;
}

export interface FollowedRun {
  /** Row id of the run. */
  run: string;
  received: Received[];
  hasEnded: boolean;
}

/** Maximum duration of a connection, in milliseconds. */
const LONGEST_CONNECTION_MS = 800;
const RETRY_MS = 200;
const RECENT_RUNS = 20;

interface Connection {
  /** Id of the run in the form of the API. */
  id: string;
  authorization: string;
  signal?: AbortSignal;
  /** The number of events after which the follower disconnects. Default: none. */
  most?: number;
}

/**
 * Follows a run at one process, beginning after the last event in `received`. Adds the received events to `received` until the connection ends.
 *
 * @returns `isOpen`: whether the process answered with events; `hasEnded`: whether the run's last event had already been received
 */
export async function readEvents(
  service: Service,
  { id, authorization, signal, most = Infinity }: Connection,
  received: Received[],
): Promise<{ isOpen: boolean; hasEnded: boolean }> {
  const last = received.at(-1)?.seq;
  const response = await fetch(`${service.url}/api/v1/runs/${id}/events`, {
    headers: { authorization, ...(last !== undefined && { 'last-event-id': String(last) }) },
    ...(signal && { signal }),
  });
  if (response.status !== 200 || !response.body) {
    await response.body?.cancel();
    if (response.status !== 204) await delay(RETRY_MS);
    return { isOpen: false, hasEnded: response.status === 204 };
  }
  let rest = '';
  let left = most;
  if (left === 0) await response.body.cancel();
  else
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + part).split('\n\n');
      rest = blocks.pop() ?? '';
      const events = blocks.flatMap((block) => eventOf(block) ?? []).slice(0, left);
      received.push(...events);
      left -= events.length;
      if (left === 0) break; // leaving the loop closes the connection
    }
  return { isOpen: true, hasEnded: false };
}

/** Starts followers of runs. They reconnect repeatedly, each time to a random process, and continue after the last event that they received. */
export function startFollowers(services: readonly Service[], token: string, records: RunRecords, count: number) {
  const followed: FollowedRun[] = [];
  let [reconnects, isStopped] = [0, false];
  const authorization = `Bearer ${token}`;

  async function follow(run: FollowedRun, id: string): Promise<void> {
    while (!run.hasEnded) {
      reconnects += 1;
      const signal = AbortSignal.timeout(Math.ceil(LONGEST_CONNECTION_MS * Math.random()));
      // A connection can end at any byte, because the process was killed or because the follower closed it.
      const service = services[Math.floor(Math.random() * services.length)] as Service;
      run.hasEnded = await readEvents(service, { id, authorization, signal }, run.received)
        .then(({ hasEnded }) => hasEnded)
        .catch(() => false);
    }
  }

  async function work(): Promise<void> {
    while (!isStopped) {
      const started = await records.recentRuns(RECENT_RUNS).catch(() => []);
      const known = new Set(followed.map(({ run }) => run));
      const id = started.filter((one) => !known.has(decodeId('run', one) ?? '')).at(0);
      if (id === undefined) {
        await delay(RETRY_MS);
        continue;
      }
      const run: FollowedRun = { run: decodeId('run', id) ?? '', received: [], hasEnded: false };
      followed.push(run);
      await follow(run, id);
    }
  }

  const working = Promise.all(Array.from({ length: count }, work));
  return {
    followed,
    /** Waits until all followed runs have ended. */
    async stop(): Promise<{ followed: readonly FollowedRun[]; reconnects: number }> {
      isStopped = true;
      await working;
      return { followed, reconnects };
    },
  };
}

/** The event in a block of the stream; undefined for a comment. */
function eventOf(block: string): Received | undefined {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const [id, type, data] = [fields.get('id'), fields.get('event'), fields.get('data')];
  return id !== undefined && type !== undefined && data !== undefined ? { seq: Number(id), type, data } : undefined;
}
