import { NativeSelect } from '@mantine/core';

export interface FilterSelectProps {
  label: string;
  /** Says that nothing is filtered. */
  all?: string;
  value: string;
  options: Readonly<Record<string, string>>;
  onChange: (value: string) => void;
}

/** One of few values, or all of them. */
export function FilterSelect({ label, all, value, options, onChange }: FilterSelectProps) {
  const choices = Object.entries(options).map(([key, text]) => ({ value: key, label: text }));
  return (
    <NativeSelect
      aria-label={label}
      value={value}
      data={[{ value: '', label: all ?? `${label}: all` }, ...choices]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
