import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SkillFields } from '../../api/platform-records.js';
import { NameAndStatus } from '../../ui/name-and-status.js';
import { Section } from '../../ui/section.js';
import { TextArea } from '../../ui/text-area.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import { ParameterForm } from './parameter-form.js';
import { faultOf, parametersOf, rowsOf } from './parameter-rows.js';

const STATUSES = { active: 'Active', inactive: 'Inactive: agents do without it' };

export interface SkillFormProps {
  skill: SkillFields;
  isNew?: boolean;
  isSaving: boolean;
  /** `saved` has to be called before another page opens. */
  onSave: (skill: SkillFields, saved: () => void) => void;
}

export function SkillForm({ skill, isNew = false, isSaving, onSave }: SkillFormProps) {
  const { parameters, ...fields } = skill;
  const form = useForm({
    initialValues: { ...fields, rows: rowsOf(parameters) },
    validate: {
      name: (name) => (name.trim() === '' ? 'Give it a name that says what it can do.' : null),
      instructions: (text) => (text === '' ? 'Write what an agent with this skill has to do.' : null),
      rows: (rows) => (rows.some((row) => faultOf(row, rows) !== null) ? 'Some parameters are not complete.' : null),
    },
  });
  const saved = useUnsaved(form.isDirty());
  const submit = ({ rows, ...values }: typeof form.values) =>
    onSave({ ...values, name: values.name.trim(), parameters: parametersOf(rows) }, saved);
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Section title="What it is">
        <Stack gap="md">
          <NameAndStatus form={form} maxLength={200} statuses={isNew ? undefined : STATUSES} />
          <TextArea
            label="Description"
            description="One or two sentences: agents' cards show it."
            minRows={2}
            maxRows={8}
            maxLength={2_000}
            {...form.getInputProps('description')}
          />
          <TextArea
            label="Instructions"
            description="What the model is told. Parameters are named below them, with their values."
            isCode
            minRows={8}
            maxRows={30}
            maxLength={100_000}
            {...form.getInputProps('instructions')}
          />
        </Stack>
      </Section>
      <ParameterForm
        rows={form.values.rows}
        onChange={(rows) => form.setFieldValue('rows', rows)}
        showFaults={form.errors['rows'] !== undefined}
      />
      <Button type="submit" loading={isSaving} disabled={!isNew && !form.isDirty()} mb="lg">
        {isNew ? 'Create skill' : 'Save'}
      </Button>
    </form>
  );
}
