import { Button, Group, Text } from '@mantine/core';
import { askArea } from '../../api/areas.js';
import type { Agent } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { confirm } from '../../ui/confirm.js';
import { Section } from '../../ui/section.js';
import { useAction } from '../../ui/use-action.js';

/** Section with a button that sets or removes the agent as default agent. The default agent answers requests that name no agent. */
export function DefaultAgent({ path, agent }: { path: string; agent: Agent }) {
  const mark = useAction(() => askArea('platform', 'PUT', `${path}/default`), {
    refresh: QUERY_KEYS.agents,
    done: `${agent.name} is the default agent.`,
  });
  const unmark = useAction(() => askArea('platform', 'DELETE', `${path}/default`), {
    refresh: QUERY_KEYS.agents,
    done: 'The oldest active agent is the default again.',
  });
  const askToMark = () =>
    confirm({
      title: 'Set as default agent?',
      text: 'It answers requests that name no agent, in all projects. It replaces the current default agent.',
      action: 'Set as default',
      tone: 'plain',
      work: () => mark.mutateAsync(),
    });
  return (
    <Section title="Default agent">
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {agent.is_default
            ? 'This agent answers requests that name no agent.'
            : 'Requests that name no agent go to the default agent, or the oldest active one.'}
        </Text>
        {agent.is_default ? (
          <Button variant="default" onClick={() => unmark.mutate()} loading={unmark.isPending}>
            Remove as default
          </Button>
        ) : (
          <Button variant="default" onClick={askToMark} disabled={agent.status !== 'active'}>
            Set as default
          </Button>
        )}
      </Group>
    </Section>
  );
}
