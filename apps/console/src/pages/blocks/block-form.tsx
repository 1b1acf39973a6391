import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { MetadataFields } from '../../api/prompt-records.js';
import { MetadataInputs } from '../../ui/metadata-inputs.js';
import { Section } from '../../ui/section.js';
import { TextArea } from '../../ui/text-area.js';
import { useUnsaved } from '../../ui/use-unsaved.js';

export interface BlockFields extends MetadataFields {
  prefix: string;
  content: string;
}

export interface BlockFormProps {
  block: BlockFields;
  isNew?: boolean;
  isSaving: boolean;
  /** `saved` has to be called before another page opens. */
  onSave: (block: BlockFields, saved: () => void) => void;
}

export function BlockForm({ block, isNew = false, isSaving, onSave }: BlockFormProps) {
  const form = useForm({
    initialValues: block,
    validate: {
      prefix: (prefix) =>
        /^[a-zA-Z_]+$/.test(prefix) ? null : 'A prefix has letters and "_" and nothing else: house_rules.',
      title: (title) => (title.trim() === '' ? 'Give it a title: it is found by it.' : null),
    },
  });
  const saved = useUnsaved(form.isDirty());
  const { prefix } = form.values;
  return (
    <form onSubmit={form.onSubmit((values) => onSave({ ...values, title: values.title.trim() }, saved))}>
      <Section title="What it says">
        <Stack gap="md">
          <TextInput
            label="Prefix"
            description={`Prompts have it as {{${prefix === '' ? 'prefix' : prefix}}}.${
              isNew ? '' : ' Under another prefix, tokens with this one stay as they stand.'
            }`}
            maxLength={100}
            maw={420}
            autoComplete="off"
            {...form.getInputProps('prefix')}
          />
          <TextArea
            label="Content"
            description="Inserted as it is: tokens in it are not filled."
            isCode
            minRows={8}
            maxRows={30}
            maxLength={1_000_000}
            {...form.getInputProps('content')}
          />
        </Stack>
      </Section>
      <Section title="What it is">
        <Stack gap="md">
          <MetadataInputs form={form} about="Who may need it, and what for." />
        </Stack>
      </Section>
      <Button type="submit" loading={isSaving} disabled={!isNew && !form.isDirty()} mb="lg">
        {isNew ? 'Create block' : 'Save'}
      </Button>
    </form>
  );
}
