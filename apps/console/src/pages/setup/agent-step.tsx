import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from 'react-router';
import { askArea } from '../../api/areas.js';
import type { Agent, Skill } from '../../api/platform-records.js';
import { useAction } from '../../ui/use-action.js';
import { REFRESH } from '../agents/refresh.js';
import { FIRST_AGENT, stepCalls, type Known } from './step-calls.js';
import { Step } from './step.js';
import type { Progress } from './use-progress.js';

export function AgentStep({
  progress,
  known,
  isNext,
}: {
  progress: Progress;
  known: Known | undefined;
  isNext: boolean;
}) {
  const { agent, skill, errors } = progress;
  return (
    <Step
      title="3. Build an agent with it"
      text="A worker that answers, with the skills that you give it."
      isDone={agent === undefined ? undefined : agent !== null}
      error={errors.agent}
      isNext={isNext}
      code={known && stepCalls.agent(known)}
    >
      {agent ? (
        <>
          <Link to={`/build/agents/${agent.id}`}>
            <bdi>{agent.name}</bdi>
          </Link>{' '}
          is there.
        </>
      ) : (
        <AgentForm skill={skill} />
      )}
    </Step>
  );
}

function AgentForm({ skill }: Pick<Progress, 'skill'>) {
  const form = useForm({
    initialValues: FIRST_AGENT,
    validate: { name: (name) => (name.trim() === '' ? 'Give it a name that people will call it by.' : null) },
  });
  const create = useAction(
    (agent: typeof FIRST_AGENT & { skill_ids: Skill['id'][] }) =>
      askArea<Agent>('platform', 'POST', '/api/v1/agents', agent),
    { refresh: REFRESH, done: ({ name }) => `${name} is there, and answers.` },
  );
  const skill_ids = skill ? [skill.id] : [];
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate({ ...values, name: values.name.trim(), skill_ids }))}>
      <Stack gap="md" align="flex-start">
        <TextInput label="Name of the agent" maxLength={100} w="100%" maw={420} {...form.getInputProps('name')} />
        <Text size="sm">
          {skill ? (
            <>
              It gets the skill <bdi>{skill.name}</bdi>.
            </>
          ) : (
            'It gets no skill: there is none yet.'
          )}
        </Text>
        <Button type="submit" loading={create.isPending}>
          Create agent
        </Button>
      </Stack>
    </form>
  );
}
