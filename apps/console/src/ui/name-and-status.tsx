import { Group, NativeSelect, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

export interface NameAndStatusProps<Values extends { name: string; status: string }> {
  form: UseFormReturnType<Values>;
  maxLength: number;
  /** Label of each status, in the order of the choice. Undefined for a new record. */
  statuses: Readonly<Record<string, string>> | undefined;
}

export function NameAndStatus<Values extends { name: string; status: string }>(props: NameAndStatusProps<Values>) {
  const { form, maxLength, statuses } = props;
  return (
    <Group gap="md" align="flex-start" wrap="wrap">
      <TextInput
        label="Name"
        maxLength={maxLength}
        autoComplete="off"
        flex="999 1 280px"
        {...form.getInputProps('name')}
      />
      {statuses && (
        <NativeSelect
          label="Status"
          flex="1 1 160px"
          data={Object.entries(statuses).map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('status')}
        />
      )}
    </Group>
  );
}
