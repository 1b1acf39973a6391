import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SkillFields } from '../../api/platform-records.js';
import { NameAndStatus } from '../../ui/name-and-status.js';
import { Section } from '../../ui/section.js';
import { TextArea } from '../../ui/text-area.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import { CreateActions, SaveActions } from '../record/form-actions.js';
import { ParameterForm } from './parameter-form.js';
import { faultOf, parametersOf, rowsOf } from './parameter-rows.js';

const STATUSES = { active: 'Active', inactive: 'Inactive (not used by agents)' };

export interface SkillFormProps {
  skill: SkillFields;
  isNew?: boolean;
  isSaving: boolean;
  /** The handler must call `saved` before it opens another page; otherwise, the page asks whether to drop unsaved changes. */
  onSave: (skill: SkillFields, saved: () => void) => void;
}

export function SkillForm({ skill, isNew = false, isSaving, onSave }: SkillFormProps) {
  const { parameters, ...fields } = skill;
  const form = useForm({
    initialValues: { ...fields, rows: rowsOf(parameters) },
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name.' : null),
      instructions: (text) => (text === '' ? 'Enter instructions.' : null),
      rows: (rows) => (rows.some((row) => faultOf(row, rows) !== null) ? 'Some parameters are incomplete.' : null),
    },
  });
  const saved = useUnsaved(form.isDirty());
  const submit = ({ rows, ...values }: typeof form.values) =>
    onSave({ ...values, name: values.name.trim(), parameters: parametersOf(rows) }, saved);
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Section title="Details">
        <Stack gap="md">
          <NameAndStatus form={form} maxLength={200} statuses={isNew ? undefined : STATUSES} />
          <TextArea
            label="Description"
            description="One or two sentences, shown on agent cards."
            minRows={2}
            maxRows={8}
            maxLength={2_000}
            {...form.getInputProps('description')}
          />
          <TextArea
            label="Instructions"
            description="Parameter values are appended to the instructions."
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
      {isNew ? (
        <CreateActions isSaving={isSaving} cancelTo="/build/skills">
          Create skill
        </CreateActions>
      ) : (
        <SaveActions isDirty={form.isDirty()} isSaving={isSaving} onDiscard={form.reset} />
      )}
    </form>
  );
}
