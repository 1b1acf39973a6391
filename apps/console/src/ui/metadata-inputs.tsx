import { Group, NativeSelect, TagsInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { MetadataFields } from '../api/prompt-records.js';
import { TextArea } from './text-area.js';

export interface MetadataInputsProps<Values extends MetadataFields> {
  form: UseFormReturnType<Values>;
  /** Text at the input Description that states where the description is shown. */
  about: string;
  /** Whether the record has a status to choose. Default: true. */
  hasStatus?: boolean;
}

const STATUSES = [
  { value: 'published', label: 'Published' },
  { value: 'draft', label: 'Draft' },
  { value: 'archived', label: 'Archived' },
];

/** Inputs for the metadata of the prompt API's records. */
export function MetadataInputs<Values extends MetadataFields>({
  form,
  about,
  hasStatus = true,
}: MetadataInputsProps<Values>) {
  return (
    <>
      <Group gap="md" align="flex-start" wrap="wrap">
        <TextInput
          label="Title"
          maxLength={500}
          autoComplete="off"
          flex="999 1 280px"
          {...form.getInputProps('title')}
        />
        {hasStatus && (
          <NativeSelect label="Status" flex="1 1 160px" data={STATUSES} {...form.getInputProps('status')} />
        )}
      </Group>
      <TextArea
        label="Description"
        description={about}
        minRows={2}
        maxRows={8}
        maxLength={10_000}
        {...form.getInputProps('description')}
      />
      <TagsInput
        label="Tags"
        placeholder={form.values.tag.length === 0 ? 'Type a tag, press Enter' : ''}
        maxTags={50}
        {...form.getInputProps('tag')}
      />
    </>
  );
}
