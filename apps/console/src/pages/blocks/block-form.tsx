import { Alert, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { MetadataFields } from '../../api/prompt-records.js';
import { variablesIn } from '../../ui/block-variables.js';
import { MetadataInputs } from '../../ui/metadata-inputs.js';
import { Section } from '../../ui/section.js';
import { TextArea } from '../../ui/text-area.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import { CreateActions, SaveActions } from '../record/form-actions.js';

export interface BlockFields extends MetadataFields {
  prefix: string;
  content: string;
}

export interface BlockFormProps {
  block: BlockFields;
  isNew?: boolean;
  isSaving: boolean;
  /** The handler must call `saved` before it opens another page; otherwise, the page asks whether to drop unsaved changes. */
  onSave: (block: BlockFields, saved: () => void) => void;
}

export function BlockForm({ block, isNew = false, isSaving, onSave }: BlockFormProps) {
  const form = useForm({
    initialValues: block,
    validate: {
      prefix: (prefix) => (/^[a-zA-Z_]+$/.test(prefix) ? null : 'Use letters and "_" only, such as house_rules.'),
      title: (title) => (title.trim() === '' ? 'Enter a title.' : null),
    },
  });
  const saved = useUnsaved(form.isDirty());
  const { prefix, content } = form.values;
  const raw = variablesIn(content).slice(0, 10);
  return (
    <form onSubmit={form.onSubmit((values) => onSave({ ...values, title: values.title.trim() }, saved))}>
      <Section title="Content">
        <Stack gap="md">
          <TextInput
            label="Name"
            description={`Prompts include it as {{${prefix === '' ? 'name' : prefix}}}.${
              isNew ? '' : ' Changing it breaks prompts that use the current name.'
            }`}
            maxLength={100}
            autoComplete="off"
            {...form.getInputProps('prefix')}
          />
          <TextArea
            label="Content"
            description="Inserted as is. Variables in it are not filled."
            isCode
            minRows={8}
            maxRows={30}
            maxLength={1_000_000}
            {...form.getInputProps('content')}
          />
          {raw.length > 0 && (
            <Alert color="yellow" py="xs" role="status">
              {raw.map((name) => `{{${name}}}`).join(', ')} {raw.length === 1 ? 'is' : 'are'} sent to the model as plain
              text. Variables in blocks are not filled: put them into the prompt.
            </Alert>
          )}
        </Stack>
      </Section>
      <Section title="Details">
        <Stack gap="md">
          <MetadataInputs form={form} about="Shown in the list of blocks." />
        </Stack>
      </Section>
      {isNew ? (
        <CreateActions isSaving={isSaving} cancelTo="/blocks">
          Create block
        </CreateActions>
      ) : (
        <SaveActions isDirty={form.isDirty()} isSaving={isSaving} onDiscard={form.reset} />
      )}
    </form>
  );
}
