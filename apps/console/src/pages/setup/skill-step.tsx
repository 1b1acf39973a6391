import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from 'react-router';
import { askArea } from '../../api/areas.js';
import type { Skill } from '../../api/platform-records.js';
import { useAction } from '../../ui/use-action.js';
import { TextArea } from '../../ui/text-area.js';
import { FIRST_SKILL, stepCalls, type Known } from './step-calls.js';
import { Step } from './step.js';
import type { Progress } from './use-progress.js';

export function SkillStep({
  progress: { skill, errors },
  known,
  isNext,
}: {
  progress: Progress;
  known: Known | undefined;
  isNext: boolean;
}) {
  return (
    <Step
      title="2. Write a skill"
      text="An ability with instructions, which agents use."
      isDone={skill === undefined ? undefined : skill !== null}
      error={errors.skill}
      isNext={isNext}
      code={known && stepCalls.skill(known)}
    >
      {skill ? (
        <>
          <Link to={`/build/skills/${skill.id}`}>
            <bdi>{skill.name}</bdi>
          </Link>{' '}
          is there.
        </>
      ) : (
        <SkillForm />
      )}
    </Step>
  );
}

function SkillForm() {
  const form = useForm({
    initialValues: FIRST_SKILL,
    validate: {
      name: (name) => (name.trim() === '' ? 'Give it a name that says what it can do.' : null),
      instructions: (text) => (text.trim() === '' ? 'Write what an agent with this skill has to do.' : null),
    },
  });
  const create = useAction((skill: typeof FIRST_SKILL) => askArea<Skill>('platform', 'POST', '/api/v1/skills', skill), {
    refresh: [['platform', 'api', 'v1', 'skills']],
    done: ({ name }) => `${name} is there.`,
  });
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate({ ...values, name: values.name.trim() }))}>
      <Stack gap="md" align="flex-start">
        <TextInput label="Name of the skill" maxLength={200} w="100%" maw={420} {...form.getInputProps('name')} />
        <TextArea
          label="Instructions"
          minRows={2}
          w="100%"
          maxLength={100_000}
          {...form.getInputProps('instructions')}
        />
        <Button type="submit" loading={create.isPending}>
          Create skill
        </Button>
      </Stack>
    </form>
  );
}
