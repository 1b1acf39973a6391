import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from 'react-router';
import { askArea } from '../../api/areas.js';
import type { Agent, Skill } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { useAction } from '../../ui/use-action.js';
import { FIRST_AGENT, stepCalls, type Known } from './step-calls.js';
import { Step } from './step.js';
import type { Progress } from './use-progress.js';

export interface AgentStepProps {
  progress: Progress;
  known: Known | undefined;
  isNext: boolean;
}

export function AgentStep({ progress: { agent, skill, errors }, known, isNext }: AgentStepProps) {
  const form = useForm({
    initialValues: FIRST_AGENT,
    validate: { name: (name) => (name.trim() === '' ? 'Enter a name.' : null) },
  });
  const create = useAction(
    (body: typeof FIRST_AGENT & { skill_ids: Skill['id'][] }) =>
      askArea<Agent>('platform', 'POST', '/api/v1/agents', body),
    { refresh: QUERY_KEYS.agents, done: ({ name }) => `Created: ${name}` },
  );
  const skill_ids = skill ? [skill.id] : [];
  return (
    <Step
      title="3. Create an agent"
      text="It answers messages with the skills you give it, and has a clock and a calculator."
      isDone={agent === undefined ? undefined : agent !== null}
      done={
        agent && (
          <>
            Created:{' '}
            <Link to={`/build/agents/${agent.id}`}>
              <bdi>{agent.name}</bdi>
            </Link>
          </>
        )
      }
      error={errors.agent}
      isNext={isNext}
      code={known && stepCalls.agent(known, form.values)}
    >
      <form onSubmit={form.onSubmit((values) => create.mutate({ ...values, name: values.name.trim(), skill_ids }))}>
        <Stack gap="md" align="flex-start">
          <TextInput label="Agent name" maxLength={100} w="100%" maw={420} {...form.getInputProps('name')} />
          <Text size="sm">Skill: {skill ? <bdi>{skill.name}</bdi> : 'none yet'}</Text>
          <Button type="submit" variant={isNext ? 'filled' : 'default'} loading={create.isPending}>
            Create agent
          </Button>
        </Stack>
      </form>
    </Step>
  );
}
