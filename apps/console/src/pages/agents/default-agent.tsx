import { Badge, Button, Group, Text } from '@mantine/core';
import { askArea } from '../../api/areas.js';
import type { Agent } from '../../api/platform-records.js';
import { confirm } from '../../ui/confirm.js';
import { Section } from '../../ui/section.js';
import { useAction } from '../../ui/use-action.js';
import { REFRESH } from './refresh.js';

/** The one mark of the installation: who answers where no agent is named. */
export function DefaultAgent({ path, agent }: { path: string; agent: Agent }) {
  const mark = useAction(() => askArea('platform', 'PUT', `${path}/default`), {
    refresh: REFRESH,
    done: `${agent.name} answers where no agent is named.`,
  });
  const unmark = useAction(() => askArea('platform', 'DELETE', `${path}/default`), {
    refresh: REFRESH,
    done: 'The oldest active agent answers where none is named.',
  });
  const askToMark = () =>
    confirm({
      title: 'Make it the default?',
      text: 'It answers for the whole installation, both projects, wherever no agent is named. The agent that did so until now does not any more.',
      action: 'Make it the default',
      tone: 'plain',
      work: () => mark.mutateAsync(),
    });
  return (
    <Section title="Default agent">
      <Group justify="space-between" gap="sm">
        <Text size="sm" maw={560}>
          {agent.is_default ? (
            <>
              <Badge>Default</Badge> It answers for the installation where no agent is named.
            </>
          ) : (
            'Where no agent is named, another one answers: the one that is marked, or else the oldest active one.'
          )}
        </Text>
        {agent.is_default ? (
          <Button variant="default" onClick={() => unmark.mutate()} loading={unmark.isPending}>
            Take the mark away
          </Button>
        ) : (
          <Button variant="default" onClick={askToMark} disabled={agent.status !== 'active'}>
            Make it the default
          </Button>
        )}
      </Group>
    </Section>
  );
}
