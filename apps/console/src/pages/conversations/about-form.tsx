import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { MetadataFields } from '../../api/prompt-records.js';
import { MetadataInputs } from '../../ui/metadata-inputs.js';
import { Section } from '../../ui/section.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import { SaveActions } from '../record/form-actions.js';

export interface AboutFormProps {
  about: MetadataFields;
  isSaving: boolean;
  onSave: (about: MetadataFields) => void;
}

/** Form for a conversation's title, description and tags. */
export function AboutForm({ about, isSaving, onSave }: AboutFormProps) {
  const form = useForm({ initialValues: about });
  useUnsaved(form.isDirty());
  return (
    <form onSubmit={form.onSubmit((values) => onSave({ ...values, title: values.title.trim() }))}>
      <Section title="Details">
        <Stack gap="md">
          <MetadataInputs form={form} about="Shown in the list of conversations." hasStatus={false} />
        </Stack>
      </Section>
      <SaveActions isDirty={form.isDirty()} isSaving={isSaving} onDiscard={form.reset} />
    </form>
  );
}
