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

export interface SkillStepProps {
  progress: Progress;
  known: Known | undefined;
  isNext: boolean;
}

export function SkillStep({ progress: { skill, errors }, known, isNext }: SkillStepProps) {
  const form = useForm({
    initialValues: FIRST_SKILL,
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name.' : null),
      instructions: (text) => (text.trim() === '' ? 'Enter instructions.' : null),
    },
  });
  const create = useAction((body: typeof FIRST_SKILL) => askArea<Skill>('platform', 'POST', '/api/v1/skills', body), {
    refresh: [['platform', 'api', 'v1', 'skills']],
    done: ({ name }) => `Created: ${name}`,
  });
  return (
    <Step
      title="2. Create a skill"
      text="Instructions that agents can share."
      isDone={skill === undefined ? undefined : skill !== null}
      done={
        skill && (
          <>
            Created:{' '}
            <Link to={`/build/skills/${skill.id}`}>
              <bdi>{skill.name}</bdi>
            </Link>
          </>
        )
      }
      error={errors.skill}
      isNext={isNext}
      code={known && stepCalls.skill(known, form.values)}
    >
      <form onSubmit={form.onSubmit((values) => create.mutate({ ...values, name: values.name.trim() }))}>
        <Stack gap="md" align="flex-start">
          <TextInput label="Skill name" maxLength={200} w="100%" maw={420} {...form.getInputProps('name')} />
          <TextArea
            label="Instructions"
            minRows={2}
            w="100%"
            maxLength={100_000}
            {...form.getInputProps('instructions')}
          />
          <Button type="submit" variant={isNext ? 'filled' : 'default'} loading={create.isPending}>
            Create skill
          </Button>
        </Stack>
      </form>
    </Step>
  );
}
