import { Button, NativeSelect, Stack, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ContentItem } from '../../api/platform-records.js';
import { Section } from '../../ui/section.js';
import { TextArea } from '../../ui/text-area.js';
import { useUnsaved } from '../../ui/use-unsaved.js';

export type ItemFields = Pick<ContentItem, 'title' | 'body' | 'tags' | 'status'>;

export interface ItemFormProps {
  item: ItemFields;
  isNew?: boolean;
  isSaving: boolean;
  /** `saved` has to be called before another page opens. */
  onSave: (item: ItemFields, saved: () => void) => void;
}

export function ItemForm({ item, isNew = false, isSaving, onSave }: ItemFormProps) {
  const form = useForm({
    initialValues: item,
    validate: { title: (title) => (title.trim() === '' ? 'Give it a title: it is found by it.' : null) },
  });
  const saved = useUnsaved(form.isDirty());
  return (
    <form onSubmit={form.onSubmit((values) => onSave({ ...values, title: values.title.trim() }, saved))}>
      <Section title="What it says">
        <Stack gap="md">
          <TextInput label="Title" maxLength={300} autoComplete="off" {...form.getInputProps('title')} />
          <TextArea
            label="Text"
            minRows={10}
            maxRows={36}
            maxLength={500_000}
            styles={{ input: { lineHeight: 1.6 } }}
            {...form.getInputProps('body')}
          />
          <TagsInput
            label="Tags"
            description="Agents that have one of them search it."
            placeholder={form.values.tags.length === 0 ? 'Enter adds a tag' : ''}
            maxTags={50}
            value={form.values.tags}
            onChange={(tags) => form.setFieldValue('tags', tags)}
          />
          {!isNew && (
            <NativeSelect
              label="Status"
              maw={320}
              data={[
                { value: 'active', label: 'Active' },
                { value: 'inactive', label: 'Inactive: nobody finds it' },
              ]}
              {...form.getInputProps('status')}
            />
          )}
        </Stack>
      </Section>
      <Button type="submit" loading={isSaving} disabled={!isNew && !form.isDirty()} mb="lg">
        {isNew ? 'Create item' : 'Save'}
      </Button>
    </form>
  );
}
