import { Input, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { areaResource } from '../../api/areas.js';
import type { List } from '../../api/admin-records.js';
import { RecordPicker, type RecordPickerProps } from '../../ui/record-picker.js';

export interface RecordChoiceProps extends Omit<RecordPickerProps, 'none'> {
  /** Link to the page on which the user creates the first record. */
  create: { to: string; label: string };
}

/** Parameters of the query. The picker's first query has the same parameters, so that both queries share one request. */
const FIRST = { search: '', sort: 'name', order: 'asc', per_page: 50 };

/** A choice of records, or a link to create the first record. */
export function RecordChoice({ create, ...picker }: RecordChoiceProps) {
  const all = useQuery(areaResource<List<unknown>>('platform', picker.path, { ...FIRST, ...picker.query }));
  if (all.data?.total !== 0 || picker.value.length > 0) return <RecordPicker none="None yet" {...picker} />;
  return (
    <Input.Wrapper label={picker.label} labelElement="div">
      <Text size="sm" c="dimmed">
        None yet. <Link to={create.to}>{create.label}</Link>
      </Text>
    </Input.Wrapper>
  );
}
