import { useQuery } from '@tanstack/react-query';
import { areaResource } from '../../api/areas.js';
import type { RunPage } from '../../api/runtime-records.js';

/** Maximum number of runs in one answer of the API. */
const MOST_RUNS = 100;

/** Returns the ids of a conversation's latest runs, by the id of the message in which each run answered. */
export function useMessageRuns(conversationId: string | undefined): ReadonlyMap<string, string> {
  const query = { conversation_id: conversationId ?? '', limit: MOST_RUNS };
  const runs = useQuery({
    ...areaResource<RunPage>('runtime', '/api/v1/runs', query),
    enabled: conversationId !== undefined,
  });
  return new Map(
    (runs.data?.items ?? []).flatMap(({ id, conversation }): [string, string][] =>
      conversation?.message_id == null ? [] : [[conversation.message_id, id]],
    ),
  );
}
