import type { Feed, Reply } from '@millwright/http';
import { hasEnded } from '@millwright/runs';
import type { RunService } from './runs.service.js';

/** Maximum duration of one connection in milliseconds. It equals the lifetime of an access token. */
const MOST_MS = 3_600_000;

export interface FollowRequest {
  /** Row id of the run. */
  runId: string;
  /** Number of the last event that the client has received. */
  after: number;
  feed: Feed;
  /** Aborts when the client disconnects, or shortly before the process ends. */
  signal: AbortSignal;
}

/** Sends the events of a run to a client, until the run has ended. */
export async function followEvents(
  service: Pick<RunService, 'followRun' | 'parts'>,
  { runId, after, feed, signal }: FollowRequest,
): Promise<Reply> {
  const status = await service.parts.runs.status(runId);
  if (!status || (hasEnded(status.state) && status.eventCount <= after)) return { status: 204 };
  feed.open();
  const followed = service.followRun(runId, after, AbortSignal.any([signal, AbortSignal.timeout(MOST_MS)]));
  for await (const { events } of followed)
    for (const { seq, type, data } of events) {
      if (signal.aborted) return {};
      await feed.send({ id: String(seq), event: type, data });
    }
  return {};
}
