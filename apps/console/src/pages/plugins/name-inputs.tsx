import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { TextArea } from '../../ui/text-area.js';

/** Inputs for a plugin's name and description, which models read. */
export function NameInputs<Values extends { name: string; description: string }>({
  form,
}: {
  form: UseFormReturnType<Values>;
}) {
  return (
    <>
      <TextInput label="Name" maxLength={200} autoComplete="off" {...form.getInputProps('name')} />
      <TextArea
        label="Description"
        description="Models use this to decide when to call the plugin."
        minRows={2}
        maxRows={8}
        maxLength={2_000}
        {...form.getInputProps('description')}
      />
    </>
  );
}
