import type { Described } from '../../api/prompt-records.js';
import { CopyIcon } from '../../ui/copy.js';
import { Facts, type Fact } from '../../ui/facts.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import classes from './record.module.css';

export interface DetailsProps {
  record: { id: string; created_at: string; updated_at: string };
  /** Rows shown before the rows that all records have. */
  facts?: readonly Fact[];
}

/** Details of a record of the prompt API, whose times are in its metadata. */
export const recordOf = ({ id, metadata }: Described): DetailsProps['record'] => ({
  id,
  created_at: metadata.created,
  updated_at: metadata.updated,
});

/** Section with a record's id and times. */
export function Details({ record: { id, created_at, updated_at }, facts = [] }: DetailsProps) {
  const all: readonly Fact[] = [
    ...facts,
    ['ID', <CopyValue key="id" value={id} label="ID" />],
    ['Created', <Time key="created" at={created_at} />],
    ['Updated', <Time key="updated" at={updated_at} />],
  ];
  return (
    <Section title="Information">
      <Facts facts={all} isStacked />
    </Section>
  );
}

/** A value that users copy into programs, such as an id, with a copy button. */
export function CopyValue({ value, label }: { value: string; label: string }) {
  return (
    <span className={classes.value}>
      <code>{value}</code>
      <CopyIcon value={value} label={label} />
    </span>
  );
}
