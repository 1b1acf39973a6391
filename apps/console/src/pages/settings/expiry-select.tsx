import { NativeSelect } from '@mantine/core';
import { dayText } from './key-columns.js';

/** Options for the expiry of a key. The value is the number of days; empty for a key that does not expire. */
const EXPIRIES = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
  { value: '', label: 'Never' },
];
export const DEFAULT_EXPIRY = '90';

const DAY_MS = 86_400_000;

/** Returns the chosen number of days; `null` for no expiry. */
export const daysOf = (expires: string): number | null => (expires === '' ? null : Number(expires));

const expiryText = (days: string) =>
  days === '' ? 'It works until you revoke it.' : `On ${dayText(new Date(Date.now() + Number(days) * DAY_MS))}`;

export function ExpirySelect({ value, onChange }: { value: string; onChange: (expires: string) => void }) {
  return (
    <NativeSelect
      label="Expires"
      data={EXPIRIES}
      description={expiryText(value)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
