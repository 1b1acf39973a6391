import { Alert, Badge, Button, Group, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { askArea } from '../../api/areas.js';
import { currentProject } from '../../api/project.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { confirm } from '../../ui/confirm.js';
import { Failure } from '../../ui/failure.js';
import { Section } from '../../ui/section.js';
import { showFailure, useAction } from '../../ui/use-action.js';
import { SectionsShape } from '../../ui/loading.js';
import { keepInputs } from '../prompts/saved-inputs.js';
import { findSamples, removeSamples, type Sample } from './find-samples.js';
import { PLATFORM_SAMPLES, PROMPT_SAMPLES, SAMPLE_CASES } from './sample-records.js';

const REFRESH = [['samples'], ...QUERY_KEYS.agents, ...QUERY_KEYS.skills, ...QUERY_KEYS.content, ...QUERY_KEYS.prompts];

const PATHS: Readonly<Record<Sample['kind'], string>> = {
  agent: '/build/agents/',
  skill: '/build/skills/',
  content: '/build/content/',
  prompt: '/prompts/',
};

interface Made {
  changes: { kind: string; id: string; etag: string }[];
}

/** Creates the sample records in both services. When the prompt API fails, the records of the platform API are deleted again. */
async function makeSamples(): Promise<void> {
  const made = await askArea<Made>('platform', 'POST', '/api/v1/changes', { changes: PLATFORM_SAMPLES });
  try {
    const { changes } = await askArea<Made>('prompt', 'POST', '/v1/changes', { changes: PROMPT_SAMPLES });
    keepInputs(changes[0]?.id, SAMPLE_CASES);
  } catch (error) {
    const changes = made.changes.map(({ kind, id, etag }) => ({ kind, action: 'delete', id, if_match: etag }));
    await askArea('platform', 'POST', '/api/v1/changes', { changes: changes.toReversed() });
    throw error;
  }
}

async function removeAll(samples: readonly Sample[]): Promise<void> {
  await removeSamples(samples);
  for (const { kind, id } of samples) if (kind === 'prompt') keepInputs(id, []);
}

/** The section that creates and removes the sample records. */
export function Samples({ isOffered }: { isOffered: boolean }) {
  const samples = useQuery({ queryKey: ['samples', currentProject()], queryFn: findSamples });
  // Reads the samples again. A failed action may have changed some records, and a changed record may be the cause of the failure.
  const onError = (error: Error, _input: unknown, toast: string) => {
    showFailure(error, toast);
    void samples.refetch();
  };
  const make = useAction(makeSamples, { refresh: REFRESH, done: 'Sample records added.', onError });
  const remove = useAction(removeAll, { refresh: REFRESH, done: 'Sample records removed.', onError });
  if (samples.error)
    return (
      <Section title="Sample records">
        <Failure error={samples.error} retry={() => void samples.refetch()} />
      </Section>
    );
  if (!samples.data) return isOffered ? <SectionsShape sections={1} /> : null;
  if (samples.data.length === 0 && !isOffered) return null;
  const found = samples.data;
  const ask = () =>
    confirm({
      title: 'Remove the sample records?',
      text: <ToRemove found={found} />,
      action: 'Remove',
      work: () => remove.mutateAsync(found),
    });
  return (
    <Section title="Sample records">
      {found.length === 0 ? (
        <Group justify="space-between" gap="sm">
          <Text size="sm" c="dimmed" maw={600}>
            An agent of a shop with a skill, knowledge and the tools of the built-in server, and a prompt with two
            versions and cases. You can remove them with one press.
          </Text>
          <Button variant="default" loading={make.isPending} onClick={() => make.mutate()}>
            Add sample records
          </Button>
        </Group>
      ) : (
        <Group justify="space-between" gap="sm" align="flex-start">
          <List size="sm" spacing={4}>
            {found.map(({ kind, id, name, isChanged }) => (
              <List.Item key={id}>
                <Link to={`${PATHS[kind]}${id}`}>
                  <bdi>{name}</bdi>
                </Link>{' '}
                <Text span size="sm" c="dimmed">
                  {kind}
                </Text>{' '}
                {isChanged && <Badge color="yellow">Changed</Badge>}
              </List.Item>
            ))}
          </List>
          <Button variant="default" loading={remove.isPending} onClick={ask}>
            Remove sample records
          </Button>
        </Group>
      )}
    </Section>
  );
}

function ToRemove({ found }: { found: readonly Sample[] }) {
  const changed = found.filter(({ isChanged }) => isChanged);
  return (
    <>
      {changed.length > 0 && (
        <Alert color="yellow" mb="sm" title="Changed since they were added">
          {changed.map(({ name }) => name).join(', ')}
        </Alert>
      )}
      <Text size="sm">
        Deletes {found.map(({ name }) => name).join(', ')}, with their versions and the agent&apos;s conversations.
        Conversations of the prompt are kept. This cannot be undone.
      </Text>
    </>
  );
}
