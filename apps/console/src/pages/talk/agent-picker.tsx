import { Select } from '@mantine/core';
import type { RegisteredAgent } from '../../api/runtime-records.js';
import classes from './talk.module.css';

export interface AgentPickerProps {
  agents: readonly RegisteredAgent[];
  nameOf: (slug: string) => string;
  value: string;
  onChange: (slug: string) => void;
}

/** The choice of the agent of a new conversation. */
export function AgentPicker({ agents, nameOf, value, onChange }: AgentPickerProps) {
  const slugs = [...new Set([...agents.map(({ name }) => name), value])];
  return (
    <Select
      className={classes.picker}
      aria-label="Agent"
      data={slugs.map((slug) => ({ value: slug, label: nameOf(slug) }))}
      searchable
      allowDeselect={false}
      value={value}
      onChange={(slug) => slug !== null && slug !== value && onChange(slug)}
      nothingFoundMessage="No agent has that name."
      comboboxProps={{ shadow: 'md', position: 'top-start' }}
    />
  );
}
