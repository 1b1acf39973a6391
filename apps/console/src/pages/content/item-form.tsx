import { NativeSelect, Stack, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ContentItem } from '../../api/platform-records.js';
import { Section } from '../../ui/section.js';
import { TextArea } from '../../ui/text-area.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import { CreateActions, SaveActions } from '../record/form-actions.js';

export type ItemFields = Pick<ContentItem, 'title' | 'body' | 'tags' | 'status'>;

export interface ItemFormProps {
  item: ItemFields;
  isNew?: boolean;
  isSaving: boolean;
  /** The handler must call `saved` before it opens another page; otherwise, the page asks whether to drop unsaved changes. */
  onSave: (item: ItemFields, saved: () => void) => void;
}

export function ItemForm({ item, isNew = false, isSaving, onSave }: ItemFormProps) {
  const form = useForm({
    initialValues: item,
    validate: { title: (title) => (title.trim() === '' ? 'Enter a title.' : null) },
  });
  const saved = useUnsaved(form.isDirty());
  return (
    <form onSubmit={form.onSubmit((values) => onSave({ ...values, title: values.title.trim() }, saved))}>
      <Section title="Content">
        <Stack gap="md">
          <TextInput label="Title" maxLength={300} autoComplete="off" {...form.getInputProps('title')} />
          <TextArea
            label="Body"
            minRows={10}
            maxRows={36}
            maxLength={500_000}
            styles={{ input: { lineHeight: 1.6 } }}
            {...form.getInputProps('body')}
          />
          <TagsInput
            label="Tags"
            description="Agents with any of these tags can search this."
            placeholder={form.values.tags.length === 0 ? 'Type a tag, press Enter' : ''}
            maxTags={50}
            value={form.values.tags}
            onChange={(tags) => form.setFieldValue('tags', tags)}
          />
          {!isNew && (
            <NativeSelect
              label="Status"
              data={[
                { value: 'active', label: 'Active' },
                { value: 'inactive', label: 'Inactive (not searched)' },
              ]}
              {...form.getInputProps('status')}
            />
          )}
        </Stack>
      </Section>
      {isNew ? (
        <CreateActions isSaving={isSaving} cancelTo="/build/content">
          Create item
        </CreateActions>
      ) : (
        <SaveActions isDirty={form.isDirty()} isSaving={isSaving} onDiscard={form.reset} />
      )}
    </form>
  );
}
