import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Failure } from '../../ui/failure.js';
import { ChoicesShape } from '../../ui/loading.js';
import { GuardsForm, policyAt, PROJECT_GUARDS } from '../guards/guards-form.js';

/** The guards of an agent, which can only be stricter than the guards of its project. `path`: path of the agent. */
export function AgentGuards({ path }: { path: string }) {
  const project = useQuery({ ...policyAt(PROJECT_GUARDS), refetchOnWindowFocus: false });
  const own = useQuery({ ...policyAt(`${path}/guards`), refetchOnWindowFocus: false });
  const error = project.error ?? own.error;
  if (!project.data || !own.data)
    return error ? (
      <Failure error={error} retry={() => void Promise.all([project.refetch(), own.refetch()])} />
    ) : (
      <ChoicesShape choices={4} />
    );
  const { rules, filters } = project.data;
  return (
    <>
      <Text size="sm" mb="md">
        Stricter than the{' '}
        <Anchor component={Link} to="/build/guards" size="sm">
          guards of the project
        </Anchor>
        , which apply as well
        {filters.length > 0 && (
          <>
            : <bdi>{filters.map(({ name }) => name).join(', ')}</bdi>
          </>
        )}
        .
      </Text>
      <GuardsForm key={JSON.stringify([rules, own.data])} path={`${path}/guards`} stored={own.data} bounds={rules} />
    </>
  );
}
