import { Alert, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { areaResource, askArea } from '../../api/areas.js';
import type { Agent } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import type { AgentDetail } from '../../api/runtime-records.js';
import { RUNS_KEY } from '../../api/waiting-runs.js';
import { confirm } from '../../ui/confirm.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';
import { LatestRuns } from '../runs/latest-runs.js';

/** The latest runs of an agent, and the button that stops the agent: it cancels all runs, and no new run starts. */
export function AgentRuns({ agent: { id, slug } }: { agent: Pick<Agent, 'id' | 'slug'> }) {
  return (
    <LatestRuns
      of={{ agent: id }}
      actions={<StopOrRelease slug={slug} />}
      empty={{ title: 'No runs yet', text: 'Send the agent a message, and its run appears here.' }}
    />
  );
}

function StopOrRelease({ slug }: { slug: string }) {
  const path = `/api/v1/agents/${encodeURIComponent(slug)}`;
  const agent = useQuery(areaResource<AgentDetail>('runtime', path));
  const refresh = [...QUERY_KEYS.agents, RUNS_KEY];
  const stop = useAction(() => askArea('runtime', 'POST', `${path}/stop`), { refresh, done: 'Agent stopped' });
  const release = useAction(() => askArea('runtime', 'POST', `${path}/release`), { refresh, done: 'Agent released' });
  if (!agent.data) return null;
  const { stopped_at } = agent.data;
  if (stopped_at !== null)
    return (
      <Alert color="yellow" py={4}>
        <Group gap="sm">
          <span>
            Stopped <Time at={stopped_at} />: no run starts.
          </span>
          <Button size="xs" variant="default" loading={release.isPending} onClick={() => release.mutate()}>
            Release
          </Button>
        </Group>
      </Alert>
    );
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() =>
        confirm({
          title: 'Stop the agent?',
          text: 'All its runs are canceled, and none starts until you release it. What tools have done already stays done.',
          action: 'Stop the agent',
          tone: 'danger',
          work: () => stop.mutateAsync(),
        })
      }
    >
      Stop all runs
    </Button>
  );
}
