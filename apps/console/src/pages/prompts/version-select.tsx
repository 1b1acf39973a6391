import { NativeSelect, type NativeSelectProps } from '@mantine/core';

/** Maximum number of versions in the select. */
const SHOWN = 100;

export interface VersionSelectProps extends Omit<NativeSelectProps, 'value' | 'onChange' | 'data'> {
  newest: number;
  value: number;
  onChange: (version: number) => void;
}

/** A choice of a prompt's version, newest first. */
export function VersionSelect({ newest, value, onChange, ...props }: VersionSelectProps) {
  const shown = Array.from({ length: Math.min(SHOWN, newest) }, (_, index) => newest - index);
  const numbers = shown.includes(value) ? shown : [...shown, value];
  return (
    <NativeSelect
      {...props}
      value={String(value)}
      data={numbers.map((number) => ({
        value: String(number),
        label: number === newest ? `${number} (newest)` : String(number),
      }))}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    />
  );
}
